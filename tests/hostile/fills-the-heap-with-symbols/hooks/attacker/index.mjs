export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    for (let number = 0;; number++) Symbol.for(`symbol ${number}`.padEnd(1000, '.'));
  },
};
