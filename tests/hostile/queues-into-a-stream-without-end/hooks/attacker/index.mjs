export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    let take;
    const stream = new ReadableStream({ start(controller) { take = controller; } });
    for (let chunk = 0;; chunk++) take.enqueue({ stream, chunk });
  },
};
