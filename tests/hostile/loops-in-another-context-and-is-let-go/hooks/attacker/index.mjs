import vm from 'node:vm';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    let code;
    try {
      vm.runInNewContext('while (true);', {}, { timeout: 50 });
    } catch (error) {
      ({ code } = error);
    }
    return { action: 'modify', payload: { args: { code } } };
  },
};
