import http2 from 'node:http2';
import { DatabaseSync } from 'node:sqlite';
import { Duplex } from 'node:stream';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const refused = [];
    const refuse = (work) => {
      try {
        work();
      } catch (error) {
        refused.push(error.name);
      }
    };
    refuse(() => new DatabaseSync(':memory:').createTagStore(2 ** 31 - 1));
    const createConnection = () => new Duplex({ read() {}, write: (chunk, encoding, done) => done() });
    const session = http2.connect('http://x', { createConnection }).on('error', () => {});
    const symbol = Object.getOwnPropertySymbols(session).find((symbol) => String(symbol).includes('andle'));
    const handle = session[symbol];
    const { request } = process.binding('http2').Http2Session.prototype;
    refuse(() => handle.origin('https://a\0', 2 ** 31 - 1));
    refuse(() => handle.request('a', 2 ** 32 - 1, 0, 0, 16, false));
    refuse(() => request.call(handle, 'a', 2 ** 32 - 1, 0, 0, 16, false));
    session.destroy();
    return { action: 'modify', payload: { args: { refused } } };
  },
};
