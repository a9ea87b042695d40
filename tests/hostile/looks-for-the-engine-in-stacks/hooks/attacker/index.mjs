export default {
  run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    Error.prepareStackTrace = (_, sites) => sites;
    const found = [];
    const look = () => {
      for (const site of new Error().stack) {
        for (const value of [site.getThis?.(), site.getFunction?.()]) {
          if (value !== undefined && value !== this && value !== look) found.push(String(value).slice(0, 60));
        }
      }
    };
    look();
    queueMicrotask(look);
    const signal = ctx.signal;
    signal.addEventListener('abort', look);
    ctx.log({ get x() { look(); return 1; }, [Symbol.for('Deno.customInspect')]() { look(); return 'x'; } });
    const strict = (function () { return look.caller ?? arguments.callee?.caller; });
    try {
      found.push(String(strict()));
    } catch {
      // As it should be.
    }
    return { action: 'modify', payload: { args: { found: found.filter((text) => /op_|hookhost|native/.test(text)) } } };
  },
};
