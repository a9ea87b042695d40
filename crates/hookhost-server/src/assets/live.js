// The latest decisions, as they are made.

import { Refusal, events } from './api.js';
import { $, el, milliseconds } from './dom.js';

const SHOWN = 100;
const LONGEST_WAIT = 15_000;

let connection = null;

/** Begins to watch, anew if it does already. `changed` is called when hooks were reloaded. */
export async function watch(changed) {
  connection?.abort();
  const own = (connection = new AbortController());
  for (let wait = 500; !own.signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT)) {
    try {
      // The service sends the latest again.
      const seen = new Set();
      const opened = () => {
        state('connected');
        wait = 500;
      };
      for await (const { type, data } of events('/v1/decisions', own.signal, opened)) {
        if (type === 'reload') changed();
        if (type === 'decision') show(data, seen);
        seen.add(data?.id);
      }
    } catch (error) {
      if (own.signal.aborted) return;
      // Whoever may not look now may not in a second either; the page asks for a token.
      if (error instanceof Refusal && [401, 403].includes(error.status)) return state('not connected');
    }
    state('disconnected, trying again');
    await new Promise((resume) => setTimeout(resume, wait));
  }
}

/** Ends it. */
export function stopWatching() {
  connection?.abort();
  state('not connected');
}

function state(text) {
  $('live-state').textContent = text;
}

function show(decision, seen) {
  if (seen.has(decision.id) || document.querySelector(`[data-decision="${CSS.escape(decision.id)}"]`)) return;
  $('live-none').hidden = true;
  $('live').prepend(item(decision));
  while ($('live').children.length > SHOWN) $('live').lastElementChild.remove();
}

function item({ id, time, point, toolName, action, reason, hook, durationMs, via, ran }) {
  const steps = ran.map((step) => {
    const kind = step.cause ? 'failed' : step.action;
    const observes = step.mode === 'observe' ? ', observes' : '';
    return el('span', { className: `tag ${kind}` }, `${step.hook}: ${step.cause ?? step.action}${observes}, ${milliseconds(step.durationMs)}`);
  });
  const summary = el(
    'summary',
    {},
    el('time', { dateTime: time, className: 'quiet' }, new Date(time).toLocaleTimeString()),
    el('strong', { className: action }, action),
    el('span', {}, toolName ? `${point}: ${toolName}` : point),
    via === 'test' ? el('span', { className: 'tag quiet' }, 'test') : null,
    el('span', { className: 'reason' }, [hook, reason].filter(Boolean).join(': ')),
    el('span', { className: 'quiet number' }, milliseconds(durationMs)),
  );
  const details = steps.length ? el('div', { className: 'steps' }, steps) : el('p', { className: 'quiet' }, 'No hook wanted to see it.');
  return el('li', { 'data-decision': id }, el('details', {}, summary, details));
}
