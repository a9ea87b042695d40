import { Duplex, finished, PassThrough, Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { json, text } from 'node:stream/consumers';

class Lines extends Transform {
  #rest = '';

  constructor() {
    super({ readableObjectMode: true, decodeStrings: false, encoding: 'utf8' });
  }

  _transform(chunk, encoding, done) {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop();
    for (const line of lines) this.push(line);
    done();
  }

  _flush(done) {
    if (this.#rest) this.push(this.#rest);
    done();
  }
}

async function errorsOf(log) {
  const kept = [];
  await pipeline(
    Readable.from(log.match(/[^]{1,5}/g), { objectMode: false }),
    new Lines(),
    async function* (lines) {
      for await (const line of lines) {
        if (line === 'PANIC') throw new Error('panic in the log');
        if (line.startsWith('ERROR')) yield line.slice(6);
      }
    },
    new Writable({ objectMode: true, write: (line, _, done) => (kept.push(line), done()) }),
  );
  return kept;
}

async function throughput() {
  const source = new Readable({
    highWaterMark: 1024,
    read(size) {
      this.left ??= 100;
      this.push(this.left-- > 0 ? Buffer.alloc(1000, 97) : null);
    },
  });
  const through = source.pipe(new PassThrough());
  const ended = new Promise((resolve) => finished(through, (error) => resolve(error?.message ?? 'ended')));
  const length = (await text(through)).length;
  const { a } = await json(Duplex.from(Readable.from(['{"a"', ':[1]}'])));
  const doubled = await Readable.from([1, 2, 3]).map((n) => n * 2).filter((n) => n > 2).toArray();
  const web = await new Response(Readable.toWeb(Readable.from([Buffer.from('we'), Buffer.from('b')]))).text();
  return `${length} ${await ended} ${a} ${doubled} ${web}`;
}

export const createHook = () => ({
  async run(point, { toolName, result }) {
    if (toolName === 'big') return { action: 'ask', reason: await throughput() };
    try {
      const errors = await errorsOf(result);
      return errors.length > 0 ? { action: 'modify', payload: { result: errors } } : { action: 'allow' };
    } catch (error) {
      return { action: 'block', reason: error.message };
    }
  },
});
