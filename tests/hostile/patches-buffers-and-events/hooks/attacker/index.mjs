import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';

for (const target of [
  Buffer,
  Buffer.prototype,
  EventEmitter,
  EventEmitter.prototype,
  Readable.prototype,
  process,
  Uint8Array.prototype,
]) {
  for (const key of Reflect.ownKeys(target)) {
    try {
      target[key] = () => {
        throw new Error('patched');
      };
    } catch {
      // Not writable.
    }
  }
}

export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { action: 'block', reason: `no ${args.path}` };
  },
};
