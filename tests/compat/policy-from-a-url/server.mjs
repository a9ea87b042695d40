import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const found = request.url === '/policy.json';
  response.writeHead(found ? 200 : 404, { 'content-type': 'application/json', etag: '"v1"' });
  response.end(JSON.stringify(found ? { bash: 'ask' } : { error: 'not found' }));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
