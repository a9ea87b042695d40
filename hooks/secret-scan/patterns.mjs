/**
 * What credentials look like.
 *
 * Tool results can be large and hostile, so every pattern is linear: it starts at a literal prefix, and what follows
 * is bounded, or cannot contain the prefix again, or always matches to its end.
 */

const FIELD =
  '(?:pass(?:word|wd|phrase)|secret|credential|(?:api|access|auth|private|secret)[_-]?key' +
  '|(?:api|access|auth|refresh|session)[_-]?token|\\btoken)';

/** @type {{ kind: string, pattern: RegExp }[]} */
const TOKENS = [
  {
    // A block that is cut off counts up to the end of the text: half a key is still a secret.
    kind: 'private-key',
    pattern:
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  { kind: 'aws-access-key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'github-token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})/g },
  { kind: 'slack-token', pattern: /\bxox[a-z]-[A-Za-z0-9-]{10,}/g },
  { kind: 'google-api-key', pattern: /\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g },
  // Here and for bearer tokens, the digit tells a key from a phrase.
  { kind: 'api-key', pattern: /\bsk-(?=[A-Za-z_-]{0,48}\d)[A-Za-z0-9_-]{20,}/g },
  { kind: 'jwt', pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g },
  { kind: 'bearer-token', pattern: /\bbearer (?=[a-z._~+/-]{0,48}\d)[a-z0-9._~+/-]{16,}=*/gi },
];

/** The group is the part before the secret, which stays. */
const ASSIGNMENT = new RegExp(
  `(${FIELD}\\\\?["']?\\s{0,8}[:=]\\s{0,8}\\\\?)(?:"[^"\\n]{8,}"|'[^'\\n]{8,}'|[^\\s"',;&()<>[\\]{}]{8,})`,
  'gi',
);

const MIN_LENGTH = 8;

/**
 * @param {string} text
 * @param {(kind: string) => string} report  is told of each secret and says what stands in its place
 */
export function redactText(text, report) {
  // Results hold many short strings, and none of the forms is that short.
  if (text.length < MIN_LENGTH) return text;
  for (const { kind, pattern } of TOKENS) text = text.replace(pattern, () => report(kind));
  return text.replace(ASSIGNMENT, (match, name) =>
    looksRandom(match.slice(name.length)) ? name + report('credential') : match,
  );
}

const SECRET_NAME = new RegExp(`${FIELD}$`, 'i');

/** True for `{"password": "..."}`, where name and value are not in one text. */
export function looksLikeSecretField(name, value) {
  return value.length >= MIN_LENGTH && SECRET_NAME.test(name) && looksRandom(value);
}

const MIN_BITS_PER_CHARACTER = 2.7;
const PLACEHOLDER = /^["']?(?:\$[{(]|\$\w+["']?$|%\w+%["']?$|<|\{\{)|\*{3}|process\.env|os\.environ/;

/** Letters with digits and few repetitions. Words, references to variables and masked values are not secrets. */
function looksRandom(value) {
  return (
    /[A-Za-z]/.test(value) &&
    /\d/.test(value) &&
    !PLACEHOLDER.test(value) &&
    bitsPerCharacter(value.slice(0, 128)) >= MIN_BITS_PER_CHARACTER
  );
}

/** Shannon entropy. */
function bitsPerCharacter(value) {
  const counts = new Map();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
