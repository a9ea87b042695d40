import { findPaths } from './arguments.mjs';
import { inside, resolve } from './paths.mjs';

/**
 * Blocks write tools whose paths leave `root`.
 *
 * Paths are judged as text, before the tool opens anything. A symbolic link inside the root that points out of it is
 * not seen: the tool itself must refuse to follow links, or run where nothing else can be reached. Neither is an
 * argument that `pathArgs` does not name, unless it is the only one.
 *
 * The tools are named in `config` and not in the manifest's `match`, so that a project can set them in amodal.json.
 *
 * @param {{ root: string, writeTools: string[], pathArgs: string[] }} config  `*` in a tool's name stands for anything
 */
export default function pathGuard({ root, writeTools, pathArgs }) {
  const rootSegments = readRoot(root);
  if (!Array.isArray(writeTools) || !Array.isArray(pathArgs)) {
    throw new TypeError('config needs the lists writeTools and pathArgs');
  }
  const isWriteTool = nameMatcher(writeTools);
  const names = new Set(pathArgs);

  return function run(point, payload, ctx) {
    if (point !== 'preToolUse') return { action: 'allow' };
    if (typeof payload.toolName !== 'string') throw new TypeError('payload.toolName must be a string');
    if (!isWriteTool(payload.toolName)) return { action: 'allow' };

    const paths = findPaths(payload.args, names);
    const problem =
      paths.length === 0
        ? `it names no path in ${pathArgs.join(', ')}`
        : paths.map((path) => check(path, rootSegments)).find(Boolean);
    if (!problem) return { action: 'allow' };

    ctx.log(`blocked ${payload.toolName}`);
    return { action: 'block', reason: `${payload.toolName} may only write under ${root}: ${problem}.` };
  };
}

/** The root itself must be beyond doubt, and `/` would guard nothing. */
function readRoot(root) {
  const { segments, problem } = resolve(root, []);
  if (problem || segments.length === 0 || !root.startsWith('/')) {
    throw new TypeError('config.root must be an absolute path such as /workspace');
  }
  return segments;
}

/**
 * What is wrong with a path argument, in words, or nothing.
 *
 * @param {unknown} path
 * @param {string[]} root
 */
function check(path, root) {
  const { segments, problem } = resolve(path, root);
  if (problem) return `${shown(path)} ${problem}`;
  if (!inside(segments, root)) return `${shown(path)} leads to ${shown(`/${segments.join('/')}`)}`;
  return undefined;
}

/** Quoted and cut: the reason goes to the model and into logs, and the path is the model's own text. */
const shown = (path) => JSON.stringify(typeof path === 'string' ? path.slice(0, 120) : path);

/** @param {string[]} globs */
function nameMatcher(globs) {
  const patterns = globs.map((glob) => {
    const parts = glob.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
    return new RegExp(`^${parts.join('[^]*')}$`);
  });
  return (name) => patterns.some((pattern) => pattern.test(name));
}
