Error.stackTraceLimit = Infinity;

export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const deeper = (levels) => {
      if (levels > 0) return deeper(levels - 1);
      throw new Error('far down');
    };
    return deeper(5000);
  },
};
