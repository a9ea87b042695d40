import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const storages = Array.from({ length: 50 }, () => new AsyncLocalStorage());
    const nest = (depth) =>
      depth === 0 ? console.log('from the depth') : storages[depth % 50].run(depth, nest, depth - 1);
    nest(2000);
    storages[0].enterWith('x');
    AsyncLocalStorage.bind(() => console.log('bound'))();
    storages[0].exit(() => console.log('outside'));
    new AsyncResource('x').runInAsyncScope(() => console.log('in a scope'));
    await new Promise((resolve) => setTimeout(resolve, 1));
    console.log('after');
    return { action: 'modify', payload: { args: {} } };
  },
};
