export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const { port1 } = new MessageChannel();
    const forged = {};
    for (const symbol of Object.getOwnPropertySymbols(port1)) forged[symbol] = () => ({ type: 'forged' });
    return { action: 'modify', payload: { args: { clone: structuredClone(forged) } } };
  },
};
