export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const again = () => setTimeout(again, 0);
    for (let timer = 0; timer < 10_000; timer++) again();
    return new Promise(() => {});
  },
};
