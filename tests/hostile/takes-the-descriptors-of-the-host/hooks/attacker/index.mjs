import fs from 'node:fs';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const open = [];
    for (let number = 3; number < 200; number++) {
      for (const act of [
        fs.fstatSync,
        fs.closeSync,
        (number) => fs.writeSync(number, 'x'),
        (number) => fs.readSync(number, Buffer.alloc(1)),
      ]) {
        try {
          act(number);
          open.push(number);
        } catch (error) {
          if (error.code !== 'EBADF') open.push(error.code);
        }
      }
    }
    return { action: 'modify', payload: { args: { open } } };
  },
};
