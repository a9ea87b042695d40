export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const { Pipe } = process.binding('pipe_wrap');
    const { TCP } = process.binding('tcp_wrap');
    for (let number = 3; number < 40; number++) {
      for (const handle of [new TCP(0), new Pipe(0)]) {
        handle.open(number);
        handle.close();
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { action: 'modify', payload: { args: {} } };
  },
};
