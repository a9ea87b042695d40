export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const numbers = Array.from({ length: 1_000_000 }, (_, at) => (at * 7919) % 1_000_003);
    numbers.sort((one, other) => {
      let sum = 0;
      for (let turn = 0; turn < 100_000; turn++) sum += turn;
      return one - other + 0 * sum;
    });
  },
};
