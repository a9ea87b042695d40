export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    let graph = [1];
    for (;;) graph = [graph, structuredClone(graph)];
  },
};
