import { createServer } from 'node:http';

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const word = (text) => `data: ${JSON.stringify({ delta: text })}\n\n`;
  if (body.includes('bad')) {
    response.write(word('BLO') + word('CK ') + word('because it is bäd'));
    // The rest never comes.
    return;
  }
  const all = Buffer.from(word('AL') + word('LOW') + ': a comment\n\n' + word(' ✓') + 'data: [DONE]\n\n');
  // In the middle of a character.
  const half = all.indexOf('✓') + 1;
  response.write(all.subarray(0, half));
  setTimeout(() => response.end(all.subarray(half)), 20);
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
