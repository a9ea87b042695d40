import { detectors } from './detectors.mjs';

/**
 * Redacts personal data in `text`, on its way to the model and on its way back.
 *
 * It goes by form, not by meaning: names and postal addresses pass, and so does anything spelt out or encoded.
 *
 * @param {{ kinds: string[], replacement: string }} config  `{kind}` in `replacement` becomes the kind
 */
export function createHook({ kinds, replacement }) {
  const active = select(kinds);
  if (typeof replacement !== 'string') throw new TypeError('config.replacement must be a string');

  return {
    run(point, payload) {
      if (typeof payload.text !== 'string') throw new TypeError('payload.text must be a string');

      let text = payload.text;
      const found = [];
      for (const { kind, find } of active) {
        const spans = [...find(text)];
        if (spans.length === 0) continue;
        text = replaceSpans(text, spans, replacement.replaceAll('{kind}', () => kind));
        found.push(`${spans.length} ${kind}`);
      }

      if (found.length === 0) return { action: 'allow' };
      return { action: 'modify', payload: { text }, note: `redacted ${found.join(', ')}` };
    },
  };
}

/**
 * The detectors of the configured kinds, in their own order: the strict ones go first, so that the digits of an IBAN
 * are not taken for a phone number.
 *
 * @param {unknown} kinds
 */
function select(kinds) {
  if (!Array.isArray(kinds)) throw new TypeError('config.kinds must be a list');
  const known = detectors.map(({ kind }) => kind);
  const unknown = kinds.filter((kind) => !known.includes(kind));
  // A misspelt kind would silently redact nothing.
  if (unknown.length > 0) throw new RangeError(`unknown kinds ${unknown.join(', ')}: write ${known.join(', ')}`);
  return detectors.filter(({ kind }) => kinds.includes(kind));
}

/**
 * @param {string} text
 * @param {[start: number, end: number][]} spans  ascending, not overlapping
 * @param {string} label
 */
function replaceSpans(text, spans, label) {
  const parts = [];
  let done = 0;
  for (const [start, end] of spans) {
    parts.push(text.slice(done, start), label);
    done = end;
  }
  parts.push(text.slice(done));
  return parts.join('');
}
