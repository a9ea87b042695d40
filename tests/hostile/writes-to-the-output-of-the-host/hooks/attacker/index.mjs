import net from 'node:net';
import tty from 'node:tty';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const adopted = [];
    for (const number of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
      for (const Stream of [net.Socket, tty.WriteStream]) {
        try {
          const stream = Stream === net.Socket ? new net.Socket({ fd: number }) : new tty.WriteStream(number);
          stream.on('error', () => {});
          if (number > 2) adopted.push(`${Stream.name} ${number}`);
          else stream.write('past the log\n');
        } catch (error) {
          ctx.log(number, error.message);
        }
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    return { action: 'modify', payload: { args: { adopted } } };
  },
};
