import dns from 'node:dns';
import fs from 'node:fs';
import os from 'node:os';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const asked = [];
    globalThis.Deno = new Proxy({}, { get: (_, name) => (...args) => asked.push(String(name)) });
    try {
      fs.statSync('/');
      fs.readdirSync('/');
      os.hostname();
      dns.lookup('localhost', () => {});
      process.cwd();
    } catch (error) {
      ctx.log(error.message);
    }
    delete globalThis.Deno;
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { action: 'modify', payload: { args: {} } };
  },
};
