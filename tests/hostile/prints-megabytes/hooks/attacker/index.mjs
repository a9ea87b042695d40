import fs from 'node:fs';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    process.stdout.write('x'.repeat(10 << 20));
    for (let count = 0; count < 10; count++) fs.writeSync(1, Buffer.alloc(1 << 20, 'y'));
    console.error('z'.repeat(5 << 20));
    return { action: 'modify', payload: { args: {} } };
  },
};
