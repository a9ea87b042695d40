const fs = require('node:fs');
const readline = require('node:readline');
const { Readable } = require('node:stream');

function readWords(file) {
  return new Promise((resolve, reject) => {
    const words = [];
    const input = fs.createReadStream(file, { encoding: 'utf8', highWaterMark: 7 });
    input.on('error', reject);
    const lines = readline.createInterface({ input: input, crlfDelay: Infinity });
    lines.on('line', function (line) {
      if (line && line[0] !== '#') words.push(line.toLowerCase());
    });
    lines.on('close', function () {
      resolve(words);
    });
  });
}

async function count(text) {
  let lines = 0;
  for await (const line of readline.createInterface({ input: Readable.from([text]) })) lines += line === '' ? 0 : 1;
  return lines;
}

exports.createHook = async function () {
  const words = await readWords('words.txt');
  const missing = await readWords('no-such-file.txt').catch((error) => error.code);
  return {
    async run(point, { text }) {
      if (text === 'stats') return { action: 'block', reason: `${words.length} words, ${missing}, ${await count('a\r\n\r\nb')} lines` };
      const found = words.filter((word) => text.toLowerCase().includes(word));
      if (found.length === 0) return { action: 'allow' };
      return { action: 'modify', payload: { text: text.replace(new RegExp(found.join('|'), 'gi'), (word) => '*'.repeat(word.length)) } };
    },
  };
};
