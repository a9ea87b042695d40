export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const kept = [];
    for (let number = 0;; number++) kept.push(new Function(`return ${number}`));
  },
};
