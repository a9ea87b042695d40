import fs from 'node:fs';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    for (const number of [0, 1, 2]) {
      try {
        fs.closeSync(number);
      } catch (error) {
        ctx.log(error.code);
      }
    }
    const opened = [0, 1, 2, 3].map(() => fs.openSync('/dev/null', 'w'));
    ctx.log('opened', opened);
    console.log('still heard');
    return { action: 'modify', payload: { args: {} } };
  },
};
