/**
 * Spellings that different programs read differently. Whether a tool expands, decodes or strips them is not known
 * here, and a guess in either direction can be wrong, so they are refused.
 *
 * @type {[pattern: RegExp, problem: string][]}
 */
const REFUSED = [
  [/^$/, 'is empty'],
  [/[\0-\x1f\x7f]/, 'contains a control character'],
  [/^~/, 'starts in a home directory'],
  [/^[\\/]{2}/, 'is a network path'],
  [/^[A-Za-z][A-Za-z0-9+.-]*:/, 'starts with a drive or a URL scheme'],
  [/%(?:2e|2f|5c|00|25)/i, 'hides a separator or a dot in percent signs'],
  // Windows ignores dots and spaces at the end of a name, which turns `.. ` into `..`.
  [/(?:^|[\\/])(?!\.{1,2}(?:[\\/]|$))\.[. ]*(?:[\\/]|$)/, 'has a name of dots'],
];

/**
 * Resolves a path as text, relative to `base`. Backslashes separate, as on Windows: where they do not, the result is
 * only stricter.
 *
 * @param {unknown} path
 * @param {string[]} base  the segments of an absolute path
 * @returns {{ segments: string[], problem?: string }}
 */
export function resolve(path, base) {
  if (typeof path !== 'string') return { segments: [], problem: 'is not a path' };
  const refused = REFUSED.find(([pattern]) => pattern.test(path));
  if (refused) return { segments: [], problem: refused[1] };

  const segments = /^[\\/]/.test(path) ? [] : [...base];
  for (const segment of path.split(/[\\/]+/)) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return { segments };
}

/** Compares whole segments: `/workspace-2` is not inside `/workspace`. */
export function inside(segments, root) {
  return root.every((segment, index) => segments[index] === segment);
}
