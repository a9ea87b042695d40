// Runs one project's hook in Node, as a small agent would, and prints what comes of each call: what hookhost has to say too.
//
//   node driver.mjs <project> <calls.json>
//
// One line for each call, after the character U+001E, since a hook may print as well:
// {"action", "reason", "payload", "failure", "message"}. README.md says what they are.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const HANDLERS = ['index.mjs', 'index.js', 'index.ts'];
const MUTABLE = { preInput: 'text', preToolUse: 'args', postToolUse: 'result', preOutput: 'text' };
const WORDS = {
  allow: 'allow', continue: 'allow', block: 'block', deny: 'block', ask: 'ask', ask_user: 'ask',
  modify: 'modify', inject_context: 'inject',
};
const DEFAULT_REASON = { block: 'blocked this call', ask: 'asks for approval' };

class Failure extends Error {
  constructor(cause, error) {
    super(error instanceof Error ? error.message : String(error));
    this.cause = cause;
  }
}

const project = resolve(process.argv[2]);
const { env = {}, calls } = readJson(resolve(process.argv[3]));
process.chdir(project);
// What a hook leaves behind beside its answer is no failure of a call, and ends nothing.
process.on('unhandledRejection', (error) => console.error('unhandled rejection:', error));
process.on('uncaughtException', (error) => console.error('uncaught error:', error));

const folder = onlyHook();
const manifest = { name: basename(folder), ...readJson(join(folder, 'hook.json')) };
const loaded = await load().catch((error) => new Failure('load_failed', error));
for (const call of calls) process.stdout.write(`\n\u001e${JSON.stringify(await decide(call))}\n`);
// Servers and timers of a hook would keep the process alive.
process.exit(0);

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function onlyHook() {
  const hooks = join(project, 'hooks');
  const folders = readdirSync(hooks).filter((name) => existsSync(join(hooks, name, 'hook.json')));
  if (folders.length !== 1) throw new Error(`${hooks} has ${folders.length} hooks, not one`);
  return join(hooks, folders[0]);
}

async function load() {
  const file = HANDLERS.map((name) => join(folder, name)).find(existsSync);
  const module = await import(pathToFileURL(file));
  // Of a CommonJS module Node makes only those names exports that it finds in its text; on `module.exports` are all.
  const createHook = module.createHook ?? createRequire(file).cache[file]?.exports.createHook;
  if (createHook !== undefined) return fromFactory(createHook);
  if (module.default === undefined) throw new TypeError('the module exports no hook');
  if (module.default?.run || typeof module.default !== 'function') return asHook(module.default);
  return fromDefault(module.default);
}

function config() {
  const settings = join(project, 'amodal.json');
  const overrides = existsSync(settings) ? readJson(settings).hooks?.config?.[manifest.name] : {};
  return { ...structuredClone(manifest.config ?? {}), ...overrides };
}

async function fromFactory(exported) {
  if (exported?.run) return asHook(exported);
  const made = await exported(config());
  return typeof made === 'function' && !made.run ? made : asHook(made);
}

/** A factory, or `run` itself, which may have been called once with a config to find that out. */
async function fromDefault(exported) {
  if (exported.length >= 2) return exported;
  const made = await exported(config());
  if (typeof made?.run === 'function') return asHook(made);
  return typeof made === 'function' ? made : exported;
}

function asHook(object) {
  if (typeof object?.run !== 'function') throw new TypeError('there is no function `run`');
  return (...args) => object.run(...args);
}

async function decide({ point, payload, ...context }) {
  const line = { action: 'allow', reason: null, payload, failure: null, message: null };
  if (!manifest.points.includes(point) || !matches(point, payload)) return line;
  try {
    const reply = await answer(point, structuredClone(payload), context);
    return { ...line, ...understood(point, payload, reply) };
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    const policy = manifest.failPolicy ?? (point in MUTABLE ? 'closed' : 'open');
    const outcome = policy === 'open' ? {} : { action: 'block', reason: `Hook "${manifest.name}" failed (fail-closed)` };
    return { ...line, ...outcome, failure: failure.cause, message: failure.message };
  }
}

function matches(point, { toolName }) {
  const globs = manifest.match?.toolName;
  if (!globs || !point.endsWith('ToolUse') || typeof toolName !== 'string') return true;
  const quoted = (text) => text.replace(/[\\^$.+?()[\]{}|]/g, '\\$&');
  return globs.some((glob) => new RegExp(`^${glob.split('*').map(quoted).join('[^]*')}$`).test(toolName));
}

/** What `run` returned, in the time that it has. */
async function answer(point, payload, context) {
  if (loaded instanceof Failure) throw loaded;
  const controller = new AbortController();
  const names = process.env.PORT ? [...Object.keys(env), 'PORT'] : Object.keys(env);
  const ctx = {
    ...context,
    hookName: manifest.name,
    env: Object.fromEntries(names.map((name) => [name, process.env[name]])),
    signal: controller.signal,
    log: (...values) => console.error(...values),
  };
  let reply;
  try {
    reply = loaded(point, payload, ctx);
  } catch (error) {
    throw new Failure('threw', error);
  }
  if (typeof reply?.then !== 'function') return reply;
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => {
      reject(new Failure('timed_out', 'no answer in time'));
      controller.abort();
    }, manifest.timeoutMs ?? 1500);
  });
  const rejected = (error) => {
    throw new Failure('rejected', error);
  };
  return Promise.race([Promise.resolve(reply).catch(rejected), late]).finally(() => clearTimeout(timer));
}

/** The parts of a line that a reply decides. */
function understood(point, payload, reply) {
  if (reply === null || typeof reply !== 'object' || Array.isArray(reply)) throw invalid('no object');
  const action = Object.hasOwn(WORDS, String(reply.action)) ? WORDS[reply.action] : undefined;
  if (action === undefined) throw invalid(`unknown action ${String(reply.action)}`);
  if (action === 'block' || action === 'ask') {
    const said = typeof reply.reason === 'string' && reply.reason.trim() !== '';
    return { action, reason: said ? reply.reason : `Hook "${manifest.name}" ${DEFAULT_REASON[action]}` };
  }
  let fields;
  try {
    fields = JSON.parse(JSON.stringify(reply));
  } catch (error) {
    throw invalid(error);
  }
  if (action === 'inject' && typeof fields.context_injection !== 'string') throw invalid('no text to inject');
  if (action !== 'modify') return { action };
  const changes = fields.payload ?? fields.data;
  if (changes === null || typeof changes !== 'object' || Array.isArray(changes)) throw invalid('no object to merge');
  const field = MUTABLE[point];
  if (field === undefined || !(field in changes)) return { action };
  if (field === 'text' && typeof changes.text !== 'string') throw invalid('text is no string');
  if (field === 'args' && (changes.args === null || typeof changes.args !== 'object')) throw invalid('args is no object');
  return { action, payload: { ...payload, [field]: changes[field] } };
}

function invalid(error) {
  return new Failure('invalid_decision', error);
}
