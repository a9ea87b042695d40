import { createServer } from 'node:http';

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { model, messages } = JSON.parse(body);
  const text = messages.at(-1).content;
  if (request.method !== 'POST' || request.headers.authorization !== 'Bearer test' || model !== 'tiny-judge') {
    response.writeHead(401).end();
  } else if (text.includes('500')) {
    response.writeHead(500, { 'content-type': 'text/plain' }).end('overloaded');
  } else if (text.includes('garbage')) {
    response.end('<html>');
  } else {
    const verdict = text.includes('insult') ? { verdict: 'block', why: 'rude' } : { verdict: 'pass' };
    if (text.includes('damn')) Object.assign(verdict, { verdict: 'rewrite', text: text.replace('damn', 'gosh') });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ message: { content: JSON.stringify(verdict) } }] }));
  }
});

server.listen(0, '127.0.0.1', () => console.log(server.address().port));
