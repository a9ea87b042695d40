for (const name of Object.getOwnPropertyNames(Array.prototype)) {
  if (name === 'length' || name === 'constructor') continue;
  Array.prototype[name] = () => { throw new Error(`patched ${name}`); };
}
Array.isArray = () => true;

export default {
  run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    ctx.log('one', ['two']);
    return { action: 'block', reason: `no ${args.path}` };
  },
};
