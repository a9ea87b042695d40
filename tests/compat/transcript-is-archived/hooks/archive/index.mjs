import fs from 'node:fs';
import path from 'node:path';
import zlib, { brotliCompressSync, brotliDecompressSync, constants, createGunzip, gunzipSync, gzip, gzipSync } from 'node:zlib';
import { promisify } from 'node:util';
import { pipeline } from 'node:stream/promises';

const gzipAsync = promisify(gzip);
const folder = path.join(process.cwd(), 'archive');

async function restore(name) {
  const target = path.join(folder, `${name}.txt`);
  await pipeline(fs.createReadStream(path.join(folder, `${name}.gz`)), createGunzip(), fs.createWriteStream(target));
  return fs.readFileSync(target, 'utf8');
}

export function createHook() {
  fs.mkdirSync(folder, { recursive: true });
  let turn = 0;

  return {
    async run(point, payload) {
      if (point === 'postTurn') {
        turn += 1;
        const packed = turn % 2 ? gzipSync(payload.text, { level: constants.Z_BEST_COMPRESSION }) : await gzipAsync(Buffer.from(payload.text));
        fs.writeFileSync(path.join(folder, `${turn}.gz`), packed);
        return { action: 'allow' };
      }
      const texts = [];
      for (let number = 1; number <= turn; number++) texts.push(await restore(number));
      const all = texts.join('|');
      const first = gunzipSync(fs.readFileSync(path.join(folder, '1.gz'))).toString();
      const magic = fs.readFileSync(path.join(folder, '1.gz')).subarray(0, 2).toString('hex');
      const small = brotliDecompressSync(brotliCompressSync(all)).toString() === all;
      const deflated = zlib.inflateRawSync(zlib.deflateRawSync(all)).equals(Buffer.from(all));
      let broken = 'no error';
      try {
        gunzipSync(Buffer.from('this is not gzip'));
      } catch (error) {
        broken = `${error.code} ${error.errno}`;
      }
      return { action: 'block', reason: [all.length, first.length, magic, small, deflated, broken].join(', ') };
    },
  };
}
