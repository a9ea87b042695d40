import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import tls from 'node:tls';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const answers = [
      '',
      'HTTP/1.1 200 OK',
      'HTTP/9.9 999 X' + '\r\n'.repeat(3),
      'x'.repeat(100000),
      'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n',
      'HTTP/1.1 200 OK\r\n' + 'a: b\r\n'.repeat(10000),
      String.fromCharCode(0, 255, 22, 3, 1),
    ];
    let number = 0;
    const server = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.end(answers[number++ % answers.length]);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address();
    for (let round = 0; round < answers.length; round++) {
      await new Promise((resolve) =>
        http.get({ port }, (reply) => reply.resume().on('close', resolve).on('error', resolve)).on('error', resolve),
      );
      await fetch(`http://127.0.0.1:${port}`)
        .then((reply) => reply.text())
        .catch(() => {});
      await new Promise((resolve) =>
        http2.connect(`http://127.0.0.1:${port}`).on('error', resolve).on('close', resolve),
      );
      await new Promise((resolve) =>
        tls.connect({ port, host: '127.0.0.1' }).on('error', resolve).on('close', resolve),
      );
    }
    server.close();
    return { action: 'modify', payload: { args: {} } };
  },
};
