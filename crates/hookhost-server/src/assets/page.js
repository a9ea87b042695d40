// The page: what happens when.

import { Refusal, get, post, token } from './api.js';
import { decisionView } from './decision.js';
import { $, el, tell } from './dom.js';
import { isCalled, showHooks } from './hooks.js';
import { stopWatching, watch } from './live.js';

const EXAMPLES = {
  preInput: { text: 'Hello, I am Ada: ada@example.com', source: 'chat' },
  preToolUse: { toolName: 'shell', args: { command: 'ls' } },
  postToolUse: { toolName: 'shell', args: { command: 'ls' }, result: 'notes.txt', isError: false },
  preOutput: { text: 'Hello, Ada.', channels: ['chat'] },
  postTurn: { text: 'Hello, Ada.', toolCalls: [], usage: {} },
};
const REFRESH = 10_000;

let hooks = [];
/** The payload is the user's own, and no example takes its place. */
let edited = false;

/** Says something at the top. */
function notice(text, bad = false) {
  $('notice').classList.toggle('bad', bad);
  tell($('notice'), text);
}

function refused(error) {
  if (error instanceof Refusal && (error.status === 401 || (error.status === 403 && hooks.length === 0))) {
    const had = token.get() !== null;
    token.forget();
    stopWatching();
    $('forget').hidden = true;
    $('sign-in').hidden = false;
    $('token').focus();
    return notice(had ? error.message : 'This service needs a token.', true);
  }
  notice(error instanceof Refusal ? error.message : `The service cannot be reached: ${error.message}`, true);
}

/** Looks at the hooks. */
async function refresh() {
  try {
    const inventory = await get('/inspect/hooks');
    hooks = inventory.hooks.filter(isCalled);
    showHooks(inventory, choose);
    offerHooks();
    $('sign-in').hidden = true;
    $('forget').hidden = token.get() === null;
    return true;
  } catch (error) {
    refused(error);
    return false;
  }
}

async function begin() {
  if (!(await refresh())) return;
  notice(null);
  watch(refresh);
}

/** The hooks that are called at the chosen point. */
function offerHooks() {
  const chosen = $('hook').value;
  const names = hooks.filter((hook) => hook.points.includes($('point').value)).map((hook) => hook.name);
  const options = names.map((name) => el('option', { value: name }, name));
  $('hook').replaceChildren(el('option', { value: '' }, 'the whole chain'), ...options);
  $('hook').value = names.includes(chosen) ? chosen : '';
}

/** Fills the form for a hook. */
function choose(hook) {
  if (!hook.points.includes($('point').value)) $('point').value = hook.points.find((point) => point in EXAMPLES) ?? 'preInput';
  pointChanged();
  $('hook').value = hook.name;
  $('payload').focus();
}

function pointChanged() {
  offerHooks();
  if (!edited) $('payload').value = JSON.stringify(EXAMPLES[$('point').value], null, 2);
}

/** The object in a field, or nothing and a word about it beside the field. */
function readObject(id) {
  const [field, problem] = [$(id), $(`${id}-problem`)];
  const say = (text) => {
    tell(problem, text);
    field.setAttribute('aria-invalid', `${text !== null}`);
    if (text !== null) field.focus();
    return undefined;
  };
  let value;
  try {
    value = JSON.parse(field.value);
  } catch (error) {
    return say(`This is not JSON: ${error.message}${place(error.message, field.value)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return say('This is no object: write { ... }');
  say(null);
  return value;
}

/** The line and column, where the browser does not tell them. */
function place(message, text) {
  if (/line \d+/.test(message)) return '';
  const position = /position (\d+)/.exec(message)?.[1] ?? badToken(message, text);
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return ` (line ${before.length}, column ${before.at(-1).length + 1})`;
}

/** Where the token is that does not belong there: the shortest beginning of the text with the same complaint ends with it. */
function badToken(message, text) {
  const complaint = /^Unexpected token/;
  if (!complaint.test(message)) return undefined;
  const hasIt = (length) => {
    try {
      JSON.parse(text.slice(0, length));
    } catch (error) {
      return complaint.test(error.message);
    }
    return false;
  };
  let [without, within] = [0, text.length];
  while (within - without > 1) {
    const middle = (without + within) >> 1;
    if (hasIt(middle)) within = middle;
    else without = middle;
  }
  return within - 1;
}

function request() {
  const payload = readObject('payload');
  const context = $('context').value.trim() ? readObject('context') : null;
  if (payload === undefined || context === undefined) return null;
  const given = (id) => $(id).value.trim() || undefined;
  const caller = { userId: given('userId'), orgId: given('orgId'), source: given('source') };
  return {
    point: $('point').value,
    hookName: $('hook').value || undefined,
    payload,
    scopeId: given('scopeId'),
    context: context ?? undefined,
    caller: Object.values(caller).some(Boolean) ? caller : undefined,
  };
}

async function run(event) {
  event.preventDefault();
  const body = request();
  if (!body || $('run').disabled) return;
  $('run').disabled = true;
  try {
    $('decision').replaceChildren(...decisionView(await post('/inspect/hooks/test', body)));
    notice(null);
    refresh();
  } catch (error) {
    $('decision').replaceChildren();
    refused(error);
  } finally {
    $('run').disabled = false;
  }
}

async function reload() {
  $('reload').disabled = true;
  try {
    const done = await post('/v1/reload');
    const changes = ['reloaded', 'added', 'removed'].filter((what) => done[what].length);
    const lines = [changes.map((what) => `${what}: ${done[what].join(', ')}`).join('; ') || 'Nothing has changed.'];
    lines.push(...done.kept.map(({ hook, why }) => `${hook} keeps its last good version: ${why}`));
    lines.push(...done.skipped.map(({ file, message }) => `${file} cannot be loaded, so nobody is asked there: ${message}`));
    lines.push(...done.failing.map(({ hook, failure }) => `${hook} cannot be started: ${failure.message}`));
    notice(lines.join('\n'), lines.length > 1);
    await refresh();
  } catch (error) {
    refused(error);
  } finally {
    $('reload').disabled = false;
  }
}

function pressed(event) {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && event.target.closest?.('#try')) return $('try').requestSubmit();
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.('input, textarea, select, dialog')) return;
  const actions = { '/': () => $('payload').focus(), r: refresh, '?': () => $('help').showModal() };
  if (!actions[event.key]) return;
  event.preventDefault();
  actions[event.key]();
}

$('point').append(...Object.keys(EXAMPLES).map((point) => el('option', { value: point }, point)));
$('point').value = 'preToolUse';
$('point').addEventListener('change', pointChanged);
$('payload').addEventListener('input', () => (edited = $('payload').value.trim() !== ''));
$('try').addEventListener('submit', run);
$('reload').addEventListener('click', reload);
$('help-open').addEventListener('click', () => $('help').showModal());
$('forget').addEventListener('click', () => {
  token.forget();
  location.reload();
});
$('token-form').addEventListener('submit', (event) => {
  event.preventDefault();
  token.set($('token').value.trim());
  $('token').value = '';
  begin();
});
document.addEventListener('keydown', pressed);
setInterval(() => document.hidden || !$('sign-in').hidden || refresh(), REFRESH);
pointChanged();
begin();
