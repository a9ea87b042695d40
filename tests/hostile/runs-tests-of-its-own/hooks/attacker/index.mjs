import test from 'node:test';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    try {
      test('fails', () => {
        throw new Error('failed');
      });
    } catch (error) {
      ctx.log(error.message);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { action: 'modify', payload: { args: {} } };
  },
};
