import { format, inspect, isDeepStrictEqual } from 'node:util';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const cyclic = { list: [] };
    cyclic.self = cyclic.list[0] = cyclic;
    let deep = {};
    for (let depth = 0; depth < 100000; depth++) deep = { deep };
    const values = [
      cyclic,
      deep,
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error('no');
          },
          get() {
            throw new Error('no');
          },
          getPrototypeOf() {
            throw new Error('no');
          },
        },
      ),
      {
        get [Symbol.toStringTag]() {
          throw new Error('no');
        },
      },
      {
        [inspect.custom]() {
          throw new Error('no');
        },
      },
      { [inspect.custom]: inspect.custom },
      {
        [inspect.custom]() {
          return this;
        },
      },
      new Proxy(new Map(), {}),
      new Proxy(function f() {}, {}),
      Object.create(Object.create(null)),
      new Array(1e9),
      'x'.repeat(1e7),
      Object.defineProperty(new Error('x'), 'stack', {
        get() {
          throw new Error('no');
        },
      }),
      Object.assign(() => {}, { toString: null }),
      globalThis,
      process,
      Buffer.alloc(1e6),
    ];
    for (const value of values) {
      for (const options of [
        {},
        { depth: Infinity, showProxy: true, getters: true, showHidden: true, maxArrayLength: 10, maxStringLength: 10 },
      ]) {
        for (const show of [
          () => inspect(value, options),
          () => format('%s %o %O %j %d', value, value, value, value, value),
          () => console.log(value),
          () => isDeepStrictEqual(value, value),
        ]) {
          try {
            show();
          } catch (error) {
            if (error === undefined) ctx.log('undefined');
          }
        }
      }
    }
    return { action: 'modify', payload: { args: {} } };
  },
};
