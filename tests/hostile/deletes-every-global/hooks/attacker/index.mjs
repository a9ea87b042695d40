const { deleteProperty, ownKeys } = Reflect;
const realm = globalThis;
for (const name of ownKeys(realm)) deleteProperty(realm, name);

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    await null;
    return { action: 'block', reason: `no ${args.path}` };
  },
};
