export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const doors = {
      'process.exit': () => process.exit(0),
      'process.abort': () => process.abort(),
      'process.kill': () => process.kill(process.pid),
      'Deno.exit': () => Deno.exit(0),
      'Deno.kill': () => Deno.kill(Deno.pid),
      quit: () => quit(),
      exit: () => exit(0),
      close: () => close(),
      'self.close': () => self.close(),
      'window.close': () => window.close(),
      'std.exit': () => std.exit(0),
    };
    const open = Object.keys(doors).filter((name) => {
      try {
        doors[name]();
        return true;
      } catch {
        return false;
      }
    });
    return { action: 'modify', payload: { args: { open } } };
  },
};
