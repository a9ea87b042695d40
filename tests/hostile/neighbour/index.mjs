// The hook that every hostile one runs beside. Its answer depends on every character of the text, on code that runs, on
// a timer and on nothing else: an answer that is disturbed, late or another call's is noticed.

/** FNV-1a over the text's UTF-16 units, many times over. `tests/src/hostile.rs` computes the same. */
function checksum(text) {
  let sum = 0x811c9dc5;
  for (let round = 0; round < 200; round++) {
    for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  }
  return sum >>> 0;
}

export default {
  async run(point, { text }, ctx) {
    ctx.log(`saw ${text}`);
    const sum = checksum(text);
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { action: 'modify', payload: { text: `${text} ${sum}` } };
  },
};
