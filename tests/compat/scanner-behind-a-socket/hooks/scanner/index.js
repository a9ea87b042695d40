'use strict';

const net = require('node:net');

function talk(port, ...parts) {
  return new Promise((resolve, reject) => {
    const socket = net.createConnection({ host: '127.0.0.1', port: Number(port), allowHalfOpen: true });
    let answer = '';
    socket.setEncoding('utf8');
    socket.setTimeout(15000, () => socket.destroy(new Error('scanner timed out')));
    socket.once('connect', () => {
      for (const part of parts) socket.write(part);
      socket.end();
    });
    socket.on('data', (text) => {
      answer += text;
    });
    socket.on('error', reject);
    socket.on('close', (hadError) => {
      if (!hadError) resolve(answer);
    });
  });
}

function scan(port, text) {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return talk(port, 'SCAN1\n', length, bytes, Buffer.alloc(4));
}

exports.createHook = function () {
  const { PORT } = process.env;
  return {
    async run(point, { toolName, args }) {
      if (toolName === 'ping') return { action: 'ask', reason: (await talk(PORT, 'PING\n')).trim() };
      if (toolName === 'down') {
        const closed = net.createServer().listen(0, '127.0.0.1');
        await new Promise((resolve) => closed.once('listening', resolve));
        const { port, family } = closed.address();
        await new Promise((resolve) => closed.close(resolve));
        const error = await talk(port, 'PING\n').catch((reason) => reason);
        return { action: 'block', reason: `${error.code} ${error.syscall} ${error.address} ${error.port === port} ${family}` };
      }
      const [, verdict, found] = /^stream: (\S+)( FOUND)?\0$/.exec(await scan(PORT, args.data));
      return found ? { action: 'block', reason: `virus: ${verdict}` } : { action: 'allow' };
    },
  };
};
