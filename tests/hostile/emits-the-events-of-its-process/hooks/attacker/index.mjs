export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    for (const event of [
      'exit',
      'beforeExit',
      'SIGTERM',
      'SIGINT',
      'uncaughtException',
      'unhandledRejection',
      'warning',
      'disconnect',
      'message',
      'worker',
    ]) {
      try {
        process.emit(event, new Error(event), Promise.resolve());
      } catch (error) {
        ctx.log(error.message);
      }
    }
    for (const act of [
      () => process._fatalException(new Error('x')),
      () => process._tickCallback(),
      () => (process._exiting = true),
      () => process.emitWarning('x'),
      () => process.emitWarning(new Proxy({}, {})),
      () => process.setUncaughtExceptionCaptureCallback(() => ctx.log('captured')),
      () => reportError(null),
      () => dispatchEvent(new ErrorEvent('error', { error: 1 })),
      () => dispatchEvent(new Event('unload')),
      () => dispatchEvent(new Event('unhandledrejection')),
    ]) {
      try {
        act();
      } catch (error) {
        ctx.log(error.message);
      }
    }
    process.setUncaughtExceptionCaptureCallback(null);
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { action: 'modify', payload: { args: {} } };
  },
};
