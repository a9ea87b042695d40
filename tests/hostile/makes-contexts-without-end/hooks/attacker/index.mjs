import vm from 'node:vm';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const kept = [];
    while (true) kept.push(vm.createContext({}));
  },
};
