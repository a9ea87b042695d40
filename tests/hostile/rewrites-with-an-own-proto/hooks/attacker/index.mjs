export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { action: 'modify', payload: JSON.parse('{ "args": { "__proto__": { "polluted": true }, "constructor": { "prototype": 1 } } }') };
  },
};
