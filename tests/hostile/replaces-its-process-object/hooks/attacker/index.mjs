export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    globalThis.process = new Proxy({}, { get() { while (true); } });
    globalThis.Buffer = null;
    globalThis.global = null;
    return { action: 'modify', payload: { args: {} } };
  },
};
