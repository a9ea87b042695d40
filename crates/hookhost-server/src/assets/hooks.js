// The table of hooks.

import { $, el } from './dom.js';

/** Shows the inventory; `choose` is called with the hook whose name is pressed. */
export function showHooks(inventory, choose) {
  $('about').textContent = `${inventory.project} · ${inventory.tier} tier · sandbox ${inventory.sandbox}`;
  $('hooks').tBodies[0].replaceChildren(...inventory.hooks.map((hook, index) => row(hook, index, choose)));
  const problems = [...inventory.skipped, ...inventory.warnings];
  $('problems').replaceChildren(...problems.map(problem));
}

export const isCalled = (hook) => hook.state.is !== 'disabled' && hook.state.is !== 'found';

function row(hook, index, choose) {
  const { calls, actions, failures, meanMs } = hook.counters;
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  const called = isCalled(hook);
  const name = called
    ? el('button', { type: 'button', className: 'name', onclick: () => choose(hook), title: 'Try a call of this hook' }, hook.name)
    : hook.name;
  return el(
    'tr',
    { className: called ? '' : 'off', 'data-hook': hook.name },
    el('td', { className: 'number' }, called ? `${index + 1}` : ''),
    el('td', {}, name, el('div', { className: 'quiet about' }, [hook.label, hook.description].filter(Boolean).join(': ')), note(hook.outdated && `An older version runs: ${hook.outdated}`)),
    el('td', {}, ...state(hook)),
    el('td', {}, hook.points.join(', ')),
    el('td', {}, `${hook.priority}`),
    el('td', {}, policy(hook.failPolicy)),
    el('td', {}, hook.origin === 'local' ? 'hooks/' : hook.origin.package),
    ...[calls, actions.block ?? 0, actions.ask ?? 0, failed].map((count) => el('td', { className: 'number' }, `${count}`)),
    el('td', { className: 'number' }, calls ? meanMs.toFixed(1) : ''),
  );
}

const note = (text) => (text ? el('div', { className: 'quiet' }, text) : null);

function state(hook) {
  const word = el('span', { className: `state ${hook.state.is}` }, hook.state.is);
  const failure = hook.state.failure;
  return [
    word,
    hook.mode === 'observe' ? note('observes: does not count') : null,
    failure ? note(`${failure.cause}: ${failure.message}${failure.at ? ` (${failure.at})` : ''}`) : null,
  ].filter(Boolean);
}

function policy(byPoint) {
  const points = Object.entries(byPoint);
  const words = new Set(points.map(([, word]) => word));
  if (words.size === 1) return [...words][0];
  return points.map(([point, word]) => `${word} at ${point}`).join(', ');
}

function problem({ severity, code, file, position, message, help }) {
  const place = position ? `${file}:${position.line}:${position.column}` : file;
  const word = code === 'hook_skipped' ? 'skipped' : severity;
  const text = [message, help].filter(Boolean).join(': ');
  return el('li', {}, el('strong', { className: severity === 'error' ? 'failed' : 'ask' }, word), ' ', el('code', {}, place), ` ${text}`);
}
