import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const file = join(tmpdir(), 'usage.tsv');
const stream = createWriteStream(file, { flags: 'a' });

const write = (line) =>
  new Promise((resolve, reject) => {
    stream.write(line, (error) => (error ? reject(error) : resolve()));
  });

async function total() {
  let sum = 0;
  let turns = 0;
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  for await (const line of lines) {
    const [, input, output] = line.split('\t');
    sum += Number(input) + Number(output);
    turns += 1;
  }
  return { sum, turns };
}

export default {
  async run(point, payload) {
    if (point === 'preInput') {
      const { sum, turns } = await total();
      return { action: 'block', reason: `${sum} tokens in ${turns} turns, ${stream.bytesWritten} bytes written` };
    }
    // The third turn has no usage: that is a rejection, and the policy at postTurn is open.
    const { inputTokens, outputTokens } = payload.usage;
    await write([payload.text, inputTokens, outputTokens].join('\t') + '\n');
    return { action: 'continue' };
  },
};
