export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    let pulled = 0;
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(pulled++) });
    for await (const _ of endless);
  },
};
