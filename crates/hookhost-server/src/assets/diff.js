// What is different between two values, line by line.

import { el } from './dom.js';

/** Above so many lines on a side it would take long, and nobody would read it. */
const LINES = 1500;

const lines = (value) => (value === undefined ? [] : JSON.stringify(value, null, 2).split('\n'));

/** The longest common lines, as a table of their number from each pair of lines on. */
function common(a, b) {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i][j] = a[i] === b[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
    }
  }
  return table;
}

function* compare(a, b) {
  if (a.length > LINES || b.length > LINES) {
    yield* a.map((line) => ['del', line]);
    yield* b.map((line) => ['ins', line]);
    return;
  }
  const table = common(a, b);
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      yield ['span', a[i]];
      i++;
      j++;
    } else if (i < a.length && (j === b.length || table[i + 1][j] >= table[i][j + 1])) {
      yield ['del', a[i++]];
    } else {
      yield ['ins', b[j++]];
    }
  }
}

const SIGNS = { span: ' ', del: '-', ins: '+' };

/** The difference as an element. */
export function diff(before, after) {
  const rows = [...compare(lines(before), lines(after))];
  return el('div', { className: 'diff mono' }, rows.map(([tag, line]) => el(tag, {}, `${SIGNS[tag]} ${line}`)));
}
