import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url, 'http://localhost');
  const text = searchParams.get('text');
  if (text.includes('drop')) return request.socket.destroy();
  const labels = text.includes('lock') ? ['crime'] : [];
  const body = JSON.stringify({ labels, length: text.length, method: request.method });
  response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json; charset=utf-8', 'x-judge': 'j1' });
  response.end(gzipSync(body));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
