export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    process.stdout.end('last words\n');
    process.stderr.destroy();
    process.stdout.destroy();
    console.log('still heard');
    ctx.log('heard too');
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { action: 'modify', payload: { args: {} } };
  },
};
