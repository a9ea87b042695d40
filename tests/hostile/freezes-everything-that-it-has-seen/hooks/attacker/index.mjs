const values = Object.getOwnPropertyNames(globalThis).map((name) => globalThis[name]);
for (const value of values) {
  if (typeof value === 'function') Object.freeze(value.prototype), Object.freeze(value);
}
Object.freeze(globalThis);

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { action: 'block', reason: `no ${args.path}` };
  },
};
