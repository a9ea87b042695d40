import vm from 'node:vm';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const found = vm.runInNewContext(
      'Object.getOwnPropertyNames(globalThis).filter((name) => /deno|bootstrap|hookhost|internal|primordials|core|process/i.test(name))',
    );
    const inner = vm.runInNewContext("Function('return typeof Deno + typeof process + typeof __bootstrap')()");
    return { action: 'modify', payload: { args: { found: [...found], inner } } };
  },
};
