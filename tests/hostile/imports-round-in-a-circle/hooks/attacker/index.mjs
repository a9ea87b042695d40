import { even } from './even.mjs';
import { odd } from './odd.mjs';

export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { action: 'block', reason: `${even(10)} ${odd(10)}` };
  },
};
