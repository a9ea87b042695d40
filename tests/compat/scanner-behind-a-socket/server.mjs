import { createServer } from 'node:net';

const server = createServer({ allowHalfOpen: true }, (socket) => {
  const chunks = [];
  socket.on('error', () => {});
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('end', () => {
    const bytes = Buffer.concat(chunks);
    if (bytes.toString() === 'PING\n') return socket.end('PONG\n');
    const size = bytes.readUInt32BE(6);
    const text = bytes.subarray(10, 10 + size).toString();
    socket.write('stream: ');
    setTimeout(() => socket.end(text.includes('EICAR') ? 'Test-Signature FOUND\0' : 'OK\0'), 10);
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
