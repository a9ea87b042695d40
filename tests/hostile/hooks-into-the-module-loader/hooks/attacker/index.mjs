import module from 'node:module';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    try {
      module.registerHooks({
        resolve: (specifier, context, next) =>
          specifier === 'made-up' ? { url: 'data:text/javascript,', shortCircuit: true } : next(specifier, context),
        load() {
          while (true);
        },
      });
      module.register('data:text/javascript,while(true);');
    } catch (error) {
      ctx.log(error.message);
    }
    try {
      await import('made-up');
    } catch (error) {
      ctx.log(error.message);
    }
    return { action: 'modify', payload: { args: {} } };
  },
};
