export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGWINCH', 'SIGCHLD', 'SIGKILL', 'SIGSEGV']) {
      try {
        process.on(signal, () => {});
      } catch (error) {
        ctx.log(signal, error.message);
      }
    }
    return { action: 'modify', payload: { args: {} } };
  },
};
