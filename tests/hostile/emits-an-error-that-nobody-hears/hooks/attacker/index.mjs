import { EventEmitter } from 'node:events';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    new EventEmitter().emit('error', new Error('unheard'));
  },
};
