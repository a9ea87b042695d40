import { createHook } from 'node:async_hooks';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const fail = () => {
      throw new Error('in a hook');
    };
    createHook({ init: fail, before: fail, after: fail, destroy: fail, promiseResolve: fail }).enable();
    try {
      await Promise.resolve().then(() => {});
      await new Promise((resolve) => setTimeout(resolve, 1));
      process.nextTick(() => {});
    } catch (error) {
      ctx.log(error.message);
    }
    return { action: 'modify', payload: { args: {} } };
  },
};
