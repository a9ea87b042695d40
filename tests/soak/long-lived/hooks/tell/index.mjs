export default {
  run(point, { args }) {
    if (args.topic === null) return { action: 'allow' };
    return { action: 'inject_context', context_injection: `${args.id}: about ${args.topic}` };
  },
};
