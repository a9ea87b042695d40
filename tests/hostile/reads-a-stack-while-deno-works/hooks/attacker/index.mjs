import { Duplex } from 'node:stream';
import tls from 'node:tls';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const socket = new tls.TLSSocket(new Duplex({ read() {}, write: (chunk, encoding, done) => done() }));
    const reads = new Proxy({}, { get: () => new Error('within').stack, has: () => true });
    for (const options of [[reads], [reads, reads], ['a', reads], [reads, reads, false]]) {
      try {
        socket.ssl.initClientTls(...options);
      } catch {
        // There are other ways.
      }
    }
    return { action: 'allow' };
  },
};
