/**
 * Where personal data stands in a text.
 *
 * The text comes from outside, so every detector is linear in its length: repetitions are bounded, and a search starts
 * at an anchor (a domain, the first digits of a number), never at every letter of a long word.
 *
 * @typedef {[start: number, end: number]} Span
 * @typedef {{ kind: string, find: (text: string) => Iterable<Span> }} Detector
 */

const LOCAL_CHARACTER = /[\p{L}\p{N}._%+'-]/u;
const AT_DOMAIN = /@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}[\p{L}\p{N}-]{0,61}[\p{L}\p{N}]/gu;

/** Finds the domain, then walks back over the local part: a forward search would rescan long words without an `@`. */
function* emails(text) {
  let previousEnd = 0;
  for (const match of text.matchAll(AT_DOMAIN)) {
    const at = match.index;
    let start = at;
    while (start > previousEnd && LOCAL_CHARACTER.test(text[start - 1])) start -= 1;
    if (start === at) continue;
    previousEnd = at + match[0].length;
    yield [start, previousEnd];
  }
}

const IBAN_START = /(?<![A-Za-z0-9])[A-Za-z]{2}\d\d(?=(?:[ \u00a0-]?[A-Za-z0-9]{4}){2})/g;
const IBAN_LENGTHS = { min: 15, max: 34 };

/**
 * Any length that ends at a word's end and passes the check: lengths differ by country, and new ones join. Gaps are
 * where printed numbers have them, after every fourth character, or the words after "FY24" would be tried too.
 */
function ibanEnd(text, start) {
  const [country1, country2] = [valueAt(text, start), valueAt(text, start + 1)];
  const head = country1 * 1e4 + country2 * 1e2 + Number(text.slice(start + 2, start + 4));
  let remainder = 0;
  let length = 4;
  let end;
  for (let at = start + 4; length < IBAN_LENGTHS.max; at += 1) {
    const value = valueAt(text, at);
    if (value < 0) {
      if (length % 4 === 0 && isSeparator(text[at]) && valueAt(text, at + 1) >= 0) continue;
      break;
    }
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
    length += 1;
    // The standard moves the country and the check digits to the end, then takes the whole number modulo 97.
    const isValid = (remainder * 1e6 + head) % 97 === 1;
    if (isValid && length >= IBAN_LENGTHS.min && valueAt(text, at + 1) < 0) end = at + 1;
  }
  return end;
}

// Issuers' numbers start with 2 to 6, which halves the chance hits among other long numbers.
const CARD_START = /(?<!\d)[2-6](?=\d{3})/g;
const CARD_LENGTHS = { min: 13, max: 19 };

/**
 * The longest Luhn number that starts here. Shorter ones count too, or a trailing security code would hide a card.
 * Every group but the last has four digits or more; rows of shorter numbers are tables.
 */
function cardEnd(text, start) {
  // Which digits are doubled depends on the length, which is not known yet: keep the sum for either parity.
  const sums = [0, 0];
  let length = 0;
  let group = 0;
  let end;
  for (let at = start; length < CARD_LENGTHS.max; at += 1) {
    if (!isDigit(text, at)) {
      if (group < 4 || !isSeparator(text[at]) || !isDigit(text, at + 1)) break;
      group = 0;
      continue;
    }
    const digit = valueAt(text, at);
    sums[length % 2] += digit;
    sums[(length + 1) % 2] += digit > 4 ? digit * 2 - 9 : digit * 2;
    length += 1;
    group += 1;
    // The last digit, at index length - 1, is a plain one.
    const isValid = sums[(length - 1) % 2] % 10 === 0;
    if (isValid && length >= CARD_LENGTHS.min && !isDigit(text, at + 1)) end = at + 1;
  }
  return end;
}

/** 0 to 9 for digits, 10 to 35 for letters of either case, -1 for anything else and beyond the end. */
function valueAt(text, at) {
  const code = text.charCodeAt(at);
  if (code >= 48 && code <= 57) return code - 48;
  const lowerCase = code | 32;
  return lowerCase >= 97 && lowerCase <= 122 ? lowerCase - 87 : -1;
}

function isDigit(text, at) {
  const value = valueAt(text, at);
  return value >= 0 && value <= 9;
}

const isSeparator = (character) => character === ' ' || character === '-' || character === '\u00a0';

/** The numbers whose start a pattern finds and whose end a check decides. */
function checked(startPattern, endOf) {
  return function* find(text) {
    let previousEnd = 0;
    for (const { index } of text.matchAll(startPattern)) {
      if (index < previousEnd) continue;
      const end = endOf(text, index);
      if (end === undefined) continue;
      previousEnd = end;
      yield [index, end];
    }
  };
}

function matching(pattern) {
  return function* find(text) {
    for (const match of text.matchAll(pattern)) yield [match.index, match.index + match[0].length];
  };
}

// The excluded groups are those that the Social Security Administration never gave out.
const SSN = /(?<![\d-])(?!000|666|9)\d{3}([- ])(?!00)\d{2}\1(?!0000)\d{4}(?![\d-])/g;

// With a country code in any grouping, without one in the North American grouping only.
const INTERNATIONAL = String.raw`\+\d{1,3}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d(?:[ .-]?\d){5,12}`;
const NORTH_AMERICAN = String.raw`(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}`;
const PHONE = new RegExp(String.raw`(?<![\w+])(?:${INTERNATIONAL}|${NORTH_AMERICAN})(?!\d)`, 'g');

const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)`;
const IPV4 = new RegExp(String.raw`(?<![\d.])(?:${OCTET}\.){3}${OCTET}(?!\.?\d)`, 'g');

/** @type {Detector[]} Strict forms first: each sees the text as the earlier ones left it. */
export const detectors = [
  { kind: 'email', find: emails },
  { kind: 'iban', find: checked(IBAN_START, ibanEnd) },
  { kind: 'card', find: checked(CARD_START, cardEnd) },
  { kind: 'ssn', find: matching(SSN) },
  { kind: 'phone', find: matching(PHONE) },
  { kind: 'ipv4', find: matching(IPV4) },
];
