import dgram from 'node:dgram';
import dns from 'node:dns';
import dnsPromises from 'node:dns/promises';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';

import { CERTIFICATE, KEY } from './certificate.mjs';

const HERE = '127.0.0.1';

const listening = (server, ...where) => new Promise((resolve, reject) => {
  server.on('error', reject);
  server.listen(...(where.length > 0 ? where : [0, HERE]), () => resolve(server.address()));
});

const closed = (server) => new Promise((resolve) => server.close(resolve));

async function text(stream) {
  let all = '';
  for await (const chunk of stream) all += chunk;
  return all;
}

/** Asks `server` once. */
async function asked(server, request, options, body) {
  const { port } = await listening(server);
  try {
    return await new Promise((resolve, reject) => {
      const outgoing = request({ host: HERE, port, agent: false, ...options }, async (response) => {
        resolve([response.statusCode, response.statusMessage, response.headers['x-a'], response.httpVersion, await text(response)]);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  } finally {
    await closed(server);
  }
}

const echo = async (request, response) => {
  response.setHeader('X-A', 'b');
  response.writeHead(request.method === 'GET' ? 200 : 201, { 'Content-Type': 'text/plain' });
  response.end(`${request.method} ${request.url} ${await text(request)}`);
};

const lookedUp = (start) => new Promise((resolve) => start((error, ...values) => resolve(error ? [error.code, error.syscall] : values)));

const thrown = (start) => {
  try {
    return start();
  } catch (error) {
    return [error.name, error.code];
  }
};

export const checks = {
  http: {
    createServer: () => asked(http.createServer(echo), http.request, { path: '/x?y=1', method: 'POST' }, 'body'),
    request: async () => [
      await asked(http.createServer(echo), http.request, { path: '/' }),
      await new Promise((resolve) => http.request({ host: HERE, port: 1 }).on('error', (error) => resolve([error.code, error.syscall])).end()),
    ],
    'request: a timeout': async () => {
      const server = http.createServer(() => {});
      const { port } = await listening(server);
      const seen = await new Promise((resolve, reject) => {
        const outgoing = http.request({ host: HERE, port, timeout: 100, agent: false }, reject);
        outgoing.on('timeout', () => {
          resolve('timeout');
          outgoing.destroy();
        });
        outgoing.on('error', () => {});
        outgoing.end();
      });
      server.closeAllConnections();
      await closed(server);
      return seen;
    },
    get: async () => {
      const server = http.createServer((request, response) => {
        response.write('one ');
        setTimeout(() => response.end('two'), 20);
      });
      const { port } = await listening(server);
      const seen = await new Promise((resolve, reject) => http.get(`http://${HERE}:${port}/`, { agent: false }, async (response) => resolve([response.headers['transfer-encoding'], await text(response)])).on('error', reject));
      await closed(server);
      return seen;
    },
    Agent: async () => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      const server = http.createServer((request, response) => response.end(String(request.socket.remotePort)));
      const { port } = await listening(server);
      const ports = [];
      for (let count = 0; count < 2; count++) {
        ports.push(await new Promise((resolve, reject) => http.get({ host: HERE, port, agent }, async (response) => resolve(await text(response))).on('error', reject)));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      agent.destroy();
      server.closeAllConnections();
      await closed(server);
      return ports[0] === ports[1];
    },
    Server: async () => {
      const server = new http.Server();
      server.on('upgrade', (request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'));
      const { port } = await listening(server);
      const seen = await new Promise((resolve, reject) => {
        const outgoing = http.request({ host: HERE, port, headers: { Connection: 'Upgrade', Upgrade: 'x' }, agent: false });
        outgoing.on('upgrade', (response, socket) => {
          socket.end();
          resolve(response.statusCode);
        });
        outgoing.on('error', reject);
        outgoing.end();
      });
      await closed(server);
      return [seen, server instanceof net.Server];
    },
    IncomingMessage: () => new http.IncomingMessage(new net.Socket()).readable,
    OutgoingMessage: () => {
      const message = new http.OutgoingMessage();
      message.setHeader('A', 'b');
      return [message.getHeader('a'), message.hasHeader('A'), message.getHeaderNames()];
    },
    ServerResponse: () => new http.ServerResponse({ method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 }).statusCode,
    ClientRequest: () => {
      const outgoing = new http.ClientRequest({ host: HERE, port: 1 });
      outgoing.on('error', () => {});
      outgoing.destroy();
      return [outgoing.method, outgoing.path, outgoing.destroyed];
    },
    METHODS: () => http.METHODS,
    STATUS_CODES: () => http.STATUS_CODES,
    globalAgent: () => http.globalAgent instanceof http.Agent,
    maxHeaderSize: () => http.maxHeaderSize,
    validateHeaderName: () => [http.validateHeaderName('a'), thrown(() => http.validateHeaderName('a b'))],
    validateHeaderValue: () => [http.validateHeaderValue('a', 'b'), thrown(() => http.validateHeaderValue('a', undefined)), thrown(() => http.validateHeaderValue('a', '\n'))],
    setMaxIdleHTTPParsers: () => http.setMaxIdleHTTPParsers(100),
  },
  https: {
    createServer: () => asked(https.createServer({ cert: CERTIFICATE, key: KEY }, echo), https.request, { path: '/x', ca: CERTIFICATE, servername: 'localhost' }),
    request: () => asked(https.createServer({ cert: CERTIFICATE, key: KEY }, echo), https.request, { servername: 'localhost' }).catch((error) => error.code),
    'request: rejectUnauthorized': () => asked(https.createServer({ cert: CERTIFICATE, key: KEY }, echo), https.request, { path: '/x', rejectUnauthorized: false }),
    get: () => thrown(() => https.get('nonsense:')),
    Agent: () => new https.Agent().protocol,
    globalAgent: () => https.globalAgent instanceof https.Agent,
    Server: () => new https.Server({ cert: CERTIFICATE, key: KEY }) instanceof tls.Server,
  },
  http2: {
    createServer: async () => {
      const server = http2.createServer();
      server.on('stream', (stream, headers) => {
        stream.respond({ ':status': 200, 'x-a': 'b' });
        stream.end(`hello ${headers[':path']}`);
      });
      const { port } = await listening(server);
      const client = http2.connect(`http://${HERE}:${port}`);
      const seen = await new Promise((resolve, reject) => {
        client.on('error', reject);
        const request = client.request({ ':path': '/x' });
        let status;
        request.on('response', (headers) => (status = [headers[':status'], headers['x-a']]));
        request.on('error', reject);
        text(request).then((all) => resolve([status, all]), reject);
        request.end();
      });
      client.close();
      await closed(server);
      return seen;
    },
    createSecureServer: async () => {
      const server = http2.createSecureServer({ cert: CERTIFICATE, key: KEY }, (request, response) => response.end(`hello ${request.url}`));
      const { port } = await listening(server);
      const client = http2.connect(`https://${HERE}:${port}`, { ca: CERTIFICATE, servername: 'localhost' });
      const seen = await new Promise((resolve, reject) => {
        client.on('error', reject);
        const request = client.request({ ':path': '/x' });
        request.on('error', reject);
        text(request).then(resolve, reject);
        request.end();
      });
      client.close();
      await closed(server);
      return seen;
    },
    connect: () => new Promise((resolve) => http2.connect(`http://${HERE}:1`).on('error', (error) => resolve(error.code))),
    constants: () => Object.keys(http2.constants).length > 200,
    getDefaultSettings: () => Object.keys(http2.getDefaultSettings()).sort(),
    getPackedSettings: () => http2.getPackedSettings({ enablePush: false }),
    getUnpackedSettings: () => http2.getUnpackedSettings(http2.getPackedSettings({ enablePush: false })).enablePush,
    sensitiveHeaders: () => typeof http2.sensitiveHeaders,
    Http2ServerRequest: () => typeof http2.Http2ServerRequest,
    Http2ServerResponse: () => typeof http2.Http2ServerResponse,
  },
  net: {
    createServer: async () => {
      const server = net.createServer((socket) => socket.pipe(socket));
      const address = await listening(server);
      const seen = await new Promise((resolve, reject) => {
        const socket = net.connect(address.port, HERE, () => socket.end('hello'));
        socket.on('error', reject);
        text(socket).then((all) => resolve([all, socket.bytesWritten, socket.bytesRead, socket.remoteFamily, socket.remotePort === address.port]), reject);
      });
      await closed(server);
      return [address.address, address.family, ...seen, server.listening];
    },
    'createServer: a socket in a folder': async () => {
      const { mkdtempSync, rmSync } = await import('node:fs');
      const { tmpdir } = await import('node:os');
      const folder = mkdtempSync(`${tmpdir()}/s-`);
      const server = net.createServer((socket) => socket.end('hello'));
      try {
        await listening(server, `${folder}/x`);
        return await text(net.connect(`${folder}/x`));
      } finally {
        await closed(server);
        rmSync(folder, { recursive: true });
      }
    },
    'createServer: in use': async () => {
      const server = net.createServer();
      const { port } = await listening(server);
      const seen = await listening(net.createServer(), port, HERE).catch((error) => [error.code, error.syscall, error.port === port]);
      await closed(server);
      return seen;
    },
    connect: () => new Promise((resolve) => net.connect(1, HERE).on('error', (error) => resolve([error.code, error.syscall, error.address, error.port]))),
    createConnection: () => new Promise((resolve) => net.createConnection({ port: 1, host: HERE }).on('close', (failed) => resolve(failed)).on('error', () => {})),
    Socket: () => {
      const socket = new net.Socket();
      const seen = [socket.readyState, socket.connecting, socket.setTimeout(5) === socket, socket.setNoDelay() === socket, socket.setKeepAlive() === socket, socket.address()];
      socket.destroy();
      return [...seen, socket.destroyed];
    },
    'Socket: a timeout': async () => {
      const server = net.createServer(() => {});
      const { port } = await listening(server);
      const socket = net.connect(port, HERE);
      await new Promise((resolve) => socket.setTimeout(50, resolve));
      socket.destroy();
      await closed(server);
      return 'timeout';
    },
    Server: () => new net.Server().listening,
    Stream: () => net.Stream === net.Socket,
    BlockList: () => {
      const list = new net.BlockList();
      list.addAddress('1.2.3.4');
      list.addRange('10.0.0.1', '10.0.0.9');
      list.addSubnet('8.8.0.0', 16);
      return [list.check('1.2.3.4'), list.check('10.0.0.5'), list.check('8.8.9.9'), list.check('9.9.9.9'), list.rules];
    },
    SocketAddress: () => {
      const { address, port, family, flowlabel } = new net.SocketAddress({ address: '1.2.3.4', port: 5 });
      return [address, port, family, flowlabel];
    },
    isIP: () => [net.isIP('1.2.3.4'), net.isIP('::1'), net.isIP('x'), net.isIP('1.2.3.400')],
    isIPv4: () => [net.isIPv4('1.2.3.4'), net.isIPv4('::1')],
    isIPv6: () => [net.isIPv6('::1'), net.isIPv6('fe80::1%eth0'), net.isIPv6('1.2.3.4')],
    getDefaultAutoSelectFamily: () => net.getDefaultAutoSelectFamily(),
    setDefaultAutoSelectFamily: () => net.setDefaultAutoSelectFamily(net.getDefaultAutoSelectFamily()),
    getDefaultAutoSelectFamilyAttemptTimeout: () => net.getDefaultAutoSelectFamilyAttemptTimeout() > 0,
    setDefaultAutoSelectFamilyAttemptTimeout: () => net.setDefaultAutoSelectFamilyAttemptTimeout(net.getDefaultAutoSelectFamilyAttemptTimeout()),
  },
  tls: {
    createServer: async () => {
      const server = tls.createServer({ cert: CERTIFICATE, key: KEY }, (socket) => socket.end(`hello ${socket.encrypted}`));
      const { port } = await listening(server);
      const socket = tls.connect({ host: HERE, port, ca: CERTIFICATE, servername: 'localhost' });
      const seen = await new Promise((resolve, reject) => {
        socket.on('error', reject);
        socket.on('secureConnect', async () => resolve([socket.authorized, socket.getProtocol(), socket.getPeerCertificate().subject?.CN, await text(socket)]));
      });
      await closed(server);
      return seen;
    },
    connect: async () => {
      const server = tls.createServer({ cert: CERTIFICATE, key: KEY });
      server.on('tlsClientError', () => {});
      const { port } = await listening(server);
      const seen = await new Promise((resolve) => tls.connect({ host: HERE, port, servername: 'localhost' }).on('error', (error) => resolve(error.code)));
      await closed(server);
      return seen;
    },
    createSecureContext: () => typeof tls.createSecureContext({ cert: CERTIFICATE, key: KEY }),
    checkServerIdentity: () => [tls.checkServerIdentity('a.b', { subject: { CN: 'a.b' }, subjectaltname: 'DNS:a.b' }), tls.checkServerIdentity('x.y', { subject: { CN: 'a.b' }, subjectaltname: 'DNS:a.b' })?.code],
    getCiphers: () => tls.getCiphers().includes('tls_aes_256_gcm_sha384'),
    rootCertificates: () => tls.rootCertificates.length > 50,
    DEFAULT_MIN_VERSION: () => tls.DEFAULT_MIN_VERSION,
    DEFAULT_MAX_VERSION: () => tls.DEFAULT_MAX_VERSION,
    DEFAULT_CIPHERS: () => typeof tls.DEFAULT_CIPHERS,
    DEFAULT_ECDH_CURVE: () => tls.DEFAULT_ECDH_CURVE,
    convertALPNProtocols: () => {
      const out = {};
      tls.convertALPNProtocols(['h2'], out);
      return out.ALPNProtocols;
    },
    CLIENT_RENEG_LIMIT: () => tls.CLIENT_RENEG_LIMIT,
    CLIENT_RENEG_WINDOW: () => tls.CLIENT_RENEG_WINDOW,
    createSecurePair: () => typeof tls.createSecurePair,
    SecureContext: () => typeof tls.SecureContext,
    TLSSocket: () => typeof tls.TLSSocket,
    Server: () => new tls.Server() instanceof net.Server,
  },
  dgram: {
    createSocket: async () => {
      const server = dgram.createSocket('udp4');
      const client = dgram.createSocket('udp4');
      await new Promise((resolve) => server.bind(0, HERE, resolve));
      const seen = new Promise((resolve) => server.on('message', (message, { address, family, size }) => resolve([message.toString(), address, family, size])));
      client.send('hello', server.address().port, HERE);
      const message = await seen;
      client.close();
      await new Promise((resolve) => server.close(resolve));
      return message;
    },
    'createSocket: connect': async () => {
      const server = dgram.createSocket('udp4');
      const client = dgram.createSocket('udp4');
      await new Promise((resolve) => server.bind(0, HERE, resolve));
      await new Promise((resolve, reject) => client.connect(server.address().port, HERE, (error) => (error ? reject(error) : resolve())));
      const seen = new Promise((resolve) => server.on('message', (message) => resolve(message.toString())));
      client.send(['a', 'b']);
      const message = await seen;
      client.close();
      server.close();
      return message;
    },
    Socket: () => {
      const socket = new dgram.Socket('udp4');
      socket.close();
      return typeof socket.setBroadcast;
    },
  },
  dns: {
    lookup: async () => [
      await lookedUp((done) => dns.lookup('localhost', { family: 4 }, done)),
      await lookedUp((done) => dns.lookup('localhost', { all: true, family: 4 }, done)),
      await lookedUp((done) => dns.lookup(HERE, done)),
      (await lookedUp((done) => dns.lookup('no.such.name.invalid', done)))[1],
    ],
    lookupService: () => lookedUp((done) => dns.lookupService(HERE, 22, done)),
    resolve: () => typeof dns.resolve,
    getServers: () => Array.isArray(dns.getServers()),
    setServers: () => thrown(() => dns.setServers(['nonsense'])),
    getDefaultResultOrder: () => dns.getDefaultResultOrder(),
    setDefaultResultOrder: () => dns.setDefaultResultOrder(dns.getDefaultResultOrder()),
    Resolver: () => {
      const resolver = new dns.Resolver();
      resolver.setServers(['1.1.1.1:53']);
      return resolver.getServers();
    },
    promises: () => dns.promises === dnsPromises,
    NOTFOUND: () => dns.NOTFOUND,
    ADDRCONFIG: () => dns.ADDRCONFIG,
    V4MAPPED: () => dns.V4MAPPED,
    ALL: () => dns.ALL,
  },
  'dns/promises': {
    lookup: async () => [await dnsPromises.lookup('localhost', 4), await dnsPromises.lookup('localhost', { all: true, family: 4 })],
    lookupService: async () => (await dnsPromises.lookupService(HERE, 22)).service,
    getServers: () => Array.isArray(dnsPromises.getServers()),
    Resolver: () => typeof new dnsPromises.Resolver().resolve4,
    getDefaultResultOrder: () => dnsPromises.getDefaultResultOrder(),
    setDefaultResultOrder: () => dnsPromises.setDefaultResultOrder(dnsPromises.getDefaultResultOrder()),
  },
};
