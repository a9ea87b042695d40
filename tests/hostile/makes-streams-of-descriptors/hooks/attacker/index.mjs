import net from 'node:net';
import tty from 'node:tty';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    for (const number of [-1, 2 ** 31, 2 ** 40, NaN, 9999]) {
      for (const make of [
        () => tty.isatty(number),
        () => new tty.WriteStream(number).getColorDepth(),
        () => new tty.ReadStream(number).setRawMode(true),
        () => new net.Socket({ fd: number }).write('x'),
      ]) {
        try {
          make();
        } catch (error) {
          ctx.log(number, error.message);
        }
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    return { action: 'modify', payload: { args: {} } };
  },
};
