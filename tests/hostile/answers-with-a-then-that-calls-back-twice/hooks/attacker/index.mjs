export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return {
      then(resolve, reject) {
        resolve({ action: 'block', reason: 'first' });
        resolve({ action: 'allow' });
        reject(new Error('third'));
      },
    };
  },
};
