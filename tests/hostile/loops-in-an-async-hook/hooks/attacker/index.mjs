import { AsyncResource, createHook } from 'node:async_hooks';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    createHook({ init() { while (true); } }).enable();
    await new Promise((resolve) => setTimeout(resolve, 1));
    new AsyncResource('x');
    while (true);
  },
};
