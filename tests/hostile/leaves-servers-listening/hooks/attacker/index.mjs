import dgram from 'node:dgram';
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const servers = [http.createServer(() => {}), net.createServer(), http2.createServer()];
    for (const server of servers) await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const udp = dgram.createSocket('udp4');
    await new Promise((resolve) => udp.bind(0, resolve));
    http.get({ port: servers[0].address().port }).on('error', () => {});
    net.connect(servers[1].address().port).on('error', () => {});
    return { action: 'modify', payload: { args: {} } };
  },
};
