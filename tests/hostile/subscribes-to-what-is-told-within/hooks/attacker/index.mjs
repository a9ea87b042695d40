import { AsyncLocalStorage } from 'node:async_hooks';
import channel from 'node:diagnostics_channel';
import http from 'node:http';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    for (const name of [
      'http.client.request.start',
      'net.client.socket',
      'child_process',
      'module.require.start',
      'console.log',
    ])
      channel.subscribe(name, () => {
        throw new Error(name);
      });
    channel.channel('x').bindStore(new AsyncLocalStorage(), () => {
      throw new Error('store');
    });
    try {
      channel.channel('x').runStores({}, () => {});
      http.get('http://127.0.0.1:1').on('error', () => {});
      console.log('x');
    } catch (error) {
      ctx.log(error.message);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    return { action: 'modify', payload: { args: {} } };
  },
};
