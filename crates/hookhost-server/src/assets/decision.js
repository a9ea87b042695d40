// A decision, and how it came about.

import { diff } from './diff.js';
import { el, milliseconds } from './dom.js';

/** The decision as elements. */
export function decisionView(decision) {
  return [verdict(decision), chain(decision), ...told(decision)];
}

function verdict({ action, point, hook, reason, approval }) {
  const by = hook ? ` by ${hook}` : '';
  return el(
    'div',
    {},
    el('p', { className: `verdict ${action}`, 'data-action': action }, el('strong', {}, action), ` at ${point}${by}`),
    reason ? el('p', { className: 'mono' }, reason) : null,
    approval?.prompt ? el('p', {}, `Asked as: ${approval.prompt} [${(approval.options ?? []).join(' / ')}]`) : null,
  );
}

function chain(decision) {
  if (decision.ran.length === 0) return el('p', { className: 'quiet' }, 'No hook wanted to see this call.');
  const slowest = Math.max(...decision.ran.map((run) => run.durationMs));
  // What the payload was before each step: each hook sees what the earlier ones left.
  let payload = decision.input;
  const steps = decision.ran.map((run) => {
    const before = payload;
    payload = { ...payload, ...run.rewrote };
    const logs = decision.logs.filter((log) => log.hook === run.hook);
    return step(run, before, slowest, logs);
  });
  const last = decision.ran.at(-1);
  const ended = decision.action === 'block' && last.action === 'block' && last.mode === 'enforce';
  const end = ended ? el('p', { className: 'quiet' }, 'The chain ended here: nobody after a block is asked.') : null;
  return el('div', {}, el('h3', {}, 'Chain'), el('ol', { className: 'chain' }, steps), end);
}

const ANSWERS = { allow: 'allowed', modify: 'rewrote', inject: 'told the model', ask: 'asked', block: 'blocked' };

function step(run, before, slowest, logs) {
  const kind = run.failure ? 'failed' : run.action;
  const answer = run.failure ? `failed, so its policy decides: ${run.action}` : answered(run);
  const head = el(
    'div',
    { className: 'head' },
    el('strong', {}, run.hook),
    el('span', { className: kind }, answer),
    run.mode === 'observe' ? el('span', { className: 'tag quiet' }, 'observes: does not count') : null,
    el(
      'span',
      { className: 'time quiet number' },
      el('meter', { min: 0, max: slowest || 1, value: run.durationMs, 'aria-hidden': 'true' }),
      ` ${milliseconds(run.durationMs)}`,
    ),
  );
  const failure = run.failure;
  const fields = Object.keys(run.rewrote ?? {});
  return el(
    'li',
    { className: kind, 'data-step': run.hook, 'data-answer': kind },
    el(
      'div',
      { className: 'step' },
      head,
      failure ? el('p', { className: 'mono' }, `${failure.cause}: ${failure.message}${failure.at ? `\nat ${failure.at}` : ''}`) : null,
      !failure && run.reason ? el('p', {}, run.reason) : null,
      run.note ? el('p', { className: 'quiet' }, run.note) : null,
      fields.map((field) => [el('p', { className: 'quiet' }, field), diff(before[field], run.rewrote[field])]).flat(),
      run.dropped?.length ? el('p', { className: 'ask' }, `may not change ${run.dropped.join(', ')}`) : null,
      logs.length ? el('div', { className: 'logs mono' }, logs.map((log) => log.message).join('\n')) : null,
    ),
  );
}

function answered(run) {
  if (run.mode === 'observe' && run.action !== 'allow') return `would have ${ANSWERS[run.action] ?? run.action}`;
  if (run.action === 'modify' && !run.changed && run.mode === 'enforce') return 'rewrote nothing';
  return ANSWERS[run.action] ?? run.action;
}

function told({ input, output, messages = [], injections = [] }) {
  const parts = [];
  if (JSON.stringify(input) !== JSON.stringify(output)) {
    parts.push(el('h3', {}, 'Payload, before and after'), diff(input, output));
  }
  const list = (title, lines) => {
    if (lines.length) parts.push(el('h3', {}, title), el('ul', {}, lines.map((line) => el('li', {}, line))));
  };
  list('Told to the model', injections.map((it) => `${it.hook}: ${it.content}`));
  list('Told to the user', messages.map((it) => `${it.hook}: ${it.text}`));
  return parts;
}
