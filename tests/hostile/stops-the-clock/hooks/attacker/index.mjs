Date.now = () => 0;
globalThis.Date = class { getTime() { return 0; } };
performance.now = () => 0;
Performance.prototype.now = () => 0;
globalThis.setTimeout = globalThis.clearTimeout = () => {};

export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    for (;;);
  },
};
