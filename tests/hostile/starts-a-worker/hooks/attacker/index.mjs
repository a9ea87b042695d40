import threads from 'node:worker_threads';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const made = [];
    for (const [name, make] of Object.entries({
      Worker: () => new Worker('data:text/javascript,while(true);'),
      thread: () => new threads.Worker('while (true);', { eval: true }),
      MessageChannel: () => new threads.MessageChannel(),
      BroadcastChannel: () => new threads.BroadcastChannel('x'),
    })) {
      try {
        made.push(`${name} ${typeof make()}`);
      } catch (error) {
        ctx.log(name, error.message);
      }
    }
    return { action: 'modify', payload: { args: { made, Worker: typeof Worker } } };
  },
};
