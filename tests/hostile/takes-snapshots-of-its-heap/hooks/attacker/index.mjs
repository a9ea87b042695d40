import v8 from 'node:v8';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const taken = [];
    for (const [name, take] of Object.entries({
      write: () => v8.writeHeapSnapshot(`${import.meta.dirname}/x.heapsnapshot`),
      get: () => v8.getHeapSnapshot(),
      near: () => v8.setHeapSnapshotNearHeapLimit(1),
    })) {
      try {
        if (take() !== undefined) taken.push(name);
      } catch (error) {
        ctx.log(name, error.message);
      }
    }
    return { action: 'modify', payload: { args: { taken } } };
  },
};
