import http from 'node:http';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const server = http.createServer(() => {});
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    await new Promise((resolve, reject) => http.get({ port: server.address().port }, resolve).on('error', reject));
  },
};
