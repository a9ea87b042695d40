import { createServer } from 'node:http';

const events = [];
const server = createServer(async (request, response) => {
  if (request.method === 'GET') return response.end(JSON.stringify(events.sort()));
  let body = '';
  for await (const chunk of request) body += chunk;
  events.push(body);
  response.end('{}');
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
