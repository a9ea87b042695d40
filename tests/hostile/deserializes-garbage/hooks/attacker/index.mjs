import v8 from 'node:v8';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const good = v8.serialize({ a: [1, 'x', new Map([[1, new Uint8Array(8)]]), new Error('x'), 10n, new Date()] });
    for (let round = 0; round < 3000; round++) {
      const bad = Buffer.from(good);
      bad[round % bad.length] = (round * 37) & 255;
      bad[(round * 7) % bad.length] ^= 1 << (round % 8);
      try {
        v8.deserialize(bad);
      } catch (error) {
        if (error === undefined) ctx.log('undefined');
      }
    }
    for (const bytes of [
      [],
      [255],
      [255, 15, 92, 0],
      [255, 15, 92, 255, 255, 255, 255, 15],
      [255, 15, 66, 255, 255, 255, 255, 15],
      [255, 13, 86, 66, 0, 255, 255, 255, 15],
      [255, 15, 117, 1],
    ]) {
      try {
        v8.deserialize(Buffer.from(bytes));
      } catch (error) {
        ctx.log(error.message);
      }
    }
    return { action: 'modify', payload: { args: {} } };
  },
};
