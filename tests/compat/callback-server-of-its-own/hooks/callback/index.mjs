import { createServer } from 'node:http';
import { once } from 'node:events';

const hits = {};

const server = createServer((req, res) => {
  const url = new URL(req.url, `http://${req.headers.host}`);
  hits[url.pathname] = (hits[url.pathname] ?? 0) + 1;
  if (url.pathname === '/callback' && req.method === 'POST') {
    let body = '';
    req.setEncoding('utf8');
    req.on('data', (chunk) => (body += chunk));
    req.on('end', () => {
      const { code } = JSON.parse(body);
      res.statusCode = code === 7 ? 201 : 403;
      res.setHeader('X-User', url.searchParams.get('user'));
      res.end(JSON.stringify({ ok: code === 7 }));
    });
    return;
  }
  if (url.pathname === '/metrics') return res.writeHead(200, { 'Content-Type': 'text/plain' }).end(`hits ${hits['/callback'] ?? 0}\n`);
  res.writeHead(404).end();
});

server.listen(0, '127.0.0.1');
await once(server, 'listening');
const base = `http://127.0.0.1:${server.address().port}`;

export default {
  async run(point, { toolName, args }) {
    if (toolName === 'close') {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      return { action: 'allow' };
    }
    if (toolName === 'metrics') {
      const response = await fetch(`${base}/metrics`).catch((error) => error);
      if (response instanceof Error) return { action: 'block', reason: `${response.name}, listening: ${server.listening}` };
      return { action: 'ask', reason: `${await response.text()}${response.status} ${response.headers.get('content-type')}` };
    }
    const response = await fetch(`${base}/callback?user=${args.user}`, { method: 'POST', body: JSON.stringify({ code: args.code }) });
    const { ok } = await response.json();
    const missing = await fetch(`${base}/nowhere`);
    return { action: ok ? 'ask' : 'block', reason: `${response.headers.get('x-user')}: ${response.status}, then ${missing.status}` };
  },
};
