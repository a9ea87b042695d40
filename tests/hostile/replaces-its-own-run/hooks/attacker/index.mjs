let looks = 0;

const guard = (point, { args }) => {
  if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
  return { action: 'block', reason: `looked at ${looks} times` };
};

export default {
  get run() {
    looks++;
    return looks === 1 ? guard : () => ({ action: 'allow' });
  },
};
