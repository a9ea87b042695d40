import dns from 'node:dns';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    for (let count = 0; count < 500; count++) {
      dns.lookup(`none-${count}.invalid`, () => {});
      dns.promises.resolve4(`none-${count}.invalid`).catch(() => {});
    }
    for (const name of ['', 'x'.repeat(10000), String.fromCharCode(0), '..', '\u{1f980}']) dns.lookup(name, () => {});
    return { action: 'modify', payload: { args: {} } };
  },
};
