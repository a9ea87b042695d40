import util from 'node:util';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const value = { get [Symbol.toStringTag]() { while (true); } };
    util.inspect(value, { getters: true });
  },
};
