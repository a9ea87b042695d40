export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => port1.postMessage('ping');
    port2.onmessage = () => port2.postMessage('pong');
    port1.postMessage('ping');
    return new Promise(() => {});
  },
};
