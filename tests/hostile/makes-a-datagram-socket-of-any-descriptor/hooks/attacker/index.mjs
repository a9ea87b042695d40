export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const { UDP } = process.binding('udp_wrap');
    const taken = [];
    for (let number = -1; number < 40; number++) {
      const handle = new UDP();
      try {
        if (handle.open(number) === 0) taken.push(number);
        handle.close();
      } catch (error) {
        ctx.log(error.message);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { action: 'modify', payload: { args: { taken } } };
  },
};
