import inspector from 'node:inspector';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    for (const tell of Object.values(inspector.Network)) {
      for (const what of [
        0,
        {},
        undefined,
        {
          requestId: 'x',
          timestamp: 1,
          wallTime: 1,
          url: 'x',
          initiator: {},
          request: { url: 'x', method: 'GET', headers: {} },
        },
      ]) {
        try {
          tell(what);
        } catch (error) {
          ctx.log(error.message);
        }
      }
    }
    return { action: 'modify', payload: { args: {} } };
  },
};
