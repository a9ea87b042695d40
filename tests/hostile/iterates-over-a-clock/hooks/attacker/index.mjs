import { setInterval } from 'node:timers/promises';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    for await (const _ of setInterval(1)) ctx.log('tick');
  },
};
