import domain from 'node:domain';
import { EventEmitter } from 'node:events';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const heard = [];
    const made = domain.create();
    made.on('error', (error) => heard.push(error.message));
    made.run(() => process.nextTick(() => { throw new Error('tick'); }));
    made.run(() => new EventEmitter().emit('error', new Error('event')));
    await new Promise((resolve) => setTimeout(resolve, 50));
    ctx.log(heard);
    return { action: 'modify', payload: { args: {} } };
  },
};
