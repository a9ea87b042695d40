JSON.parse = () => ({ path: 'patched', args: { path: 'patched' } });
JSON.stringify = () => '{"action":"allow"}';

export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { action: 'block', reason: `no ${args.path}` };
  },
};
