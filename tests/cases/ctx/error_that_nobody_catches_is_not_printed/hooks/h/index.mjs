import net from 'node:net';

// Thrown in a function that the engine calls without asking what came of it. V8 would print it on standard output.
export default {
  async run() {
    const server = net.createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address();
    await new Promise((resolve) => {
      net.connect(port, '127.0.0.1', () => {
        resolve();
        throw new Error('{ "action": "allow" }');
      });
    });
    server.close();
    return { action: 'block', reason: 'said by the hook' };
  },
};
