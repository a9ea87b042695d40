import child from 'node:child_process';
import crypto from 'node:crypto';
import dns from 'node:dns';
import fs from 'node:fs';
import net from 'node:net';
import zlib from 'node:zlib';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const fail = () => {
      throw new Error('on its own');
    };
    process.nextTick(fail);
    setImmediate(fail);
    setTimeout(fail, 1);
    queueMicrotask(fail);
    fs.stat('/', fail);
    fs.readFile('/none', fail);
    dns.lookup('localhost', fail);
    crypto.randomBytes(8, fail);
    zlib.gzip('x', fail);
    child.exec('true', fail);
    const server = net
      .createServer(fail)
      .listen(0, () => net.connect(server.address().port, fail).on('error', () => {}));
    await new Promise((resolve) => setTimeout(resolve, 500));
    server.close();
    return { action: 'modify', payload: { args: {} } };
  },
};
