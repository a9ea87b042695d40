export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    for (const binding of [process.binding, process._linkedBinding, process.internalBinding]) {
      for (const name of [
        'natives',
        'fs',
        'util',
        'crypto',
        'uv',
        'contextify',
        'spawn_sync',
        'process_wrap',
        'v8',
        'none',
        '',
        {},
        undefined,
      ]) {
        try {
          binding(name);
        } catch (error) {
          ctx.log(String(error.message));
        }
      }
    }
    return { action: 'modify', payload: { args: {} } };
  },
};
