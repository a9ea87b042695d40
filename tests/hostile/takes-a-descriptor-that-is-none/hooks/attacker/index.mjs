export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const { TTY } = process.binding('tty_wrap');
    const { TCP } = process.binding('tcp_wrap');
    for (const number of [-1, -2, 2 ** 31, 99999]) {
      for (const take of [() => TTY.isTTY(number), () => new TTY(number, {}), () => new TCP(0).open(number)]) {
        try {
          take();
        } catch (error) {
          ctx.log(error.message);
        }
      }
    }
    return { action: 'modify', payload: { args: {} } };
  },
};
