import inspector from 'node:inspector';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const made = [];
    for (const [name, make] of Object.entries({
      open: () => inspector.open(0),
      session: () => new inspector.Session().connect(),
      url: () => inspector.url(),
      wait: () => inspector.waitForDebugger(),
    })) {
      try {
        const value = make();
        if (value !== undefined) made.push(name);
        if (name === 'session' || name === 'open') made.push(name);
      } catch (error) {
        ctx.log(name, error.message);
      }
    }
    return { action: 'modify', payload: { args: { made } } };
  },
};
