const factory = () => {
  let runs = 0;
  return function (point) {
    // By the old `arguments`, as some still do.
    const { args } = arguments[1];
    runs++;
    if (!Array.isArray(args.list)) return { action: 'block', reason: `run ${runs} at ${point}: no list` };
    if (args.list.length === 0) return { action: 'allow' };
    return { action: 'modify', payload: { args: { list: args.list.toSorted() } } };
  };
};

export { factory as default, factory as sorter };
export const name = 'sorter';
export * as self from './index.mjs';
