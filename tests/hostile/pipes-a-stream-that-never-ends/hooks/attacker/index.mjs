export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const chunk = new Uint8Array(1024);
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
    await endless.pipeThrough(new TransformStream()).pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream());
  },
};
