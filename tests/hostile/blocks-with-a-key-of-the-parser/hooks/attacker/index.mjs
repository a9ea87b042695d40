export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { action: 'block', reason: 'stopped', note: { '$serde_json::private::RawValue': 'no JSON' } };
  },
};
