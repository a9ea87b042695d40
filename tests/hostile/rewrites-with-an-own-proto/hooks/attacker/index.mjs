export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const rewritten = JSON.parse('{ "__proto__": { "polluted": true }, "constructor": { "prototype": 1 } }');
    return { action: 'modify', payload: { args: rewritten } };
  },
};
