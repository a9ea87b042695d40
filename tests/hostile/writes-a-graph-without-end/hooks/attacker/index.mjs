export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    let graph = 1;
    for (let level = 0; level < 40; level++) graph = [graph, graph];
    return { action: 'modify', payload: { args: { graph } } };
  },
};
