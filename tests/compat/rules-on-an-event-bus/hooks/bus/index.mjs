import EventEmitter, { on, once, setMaxListeners } from 'node:events';

class Bus extends EventEmitter {
  constructor() {
    super({ captureRejections: true });
    this.order = [];
  }

  ask(event, ...args) {
    const answers = [];
    this.emit(event, { add: (answer) => answers.push(answer) }, ...args);
    return answers;
  }
}

const bus = new Bus();
setMaxListeners(20, bus);
bus.on('command', ({ add }, command) => {
  if (command.includes('rm ')) add({ action: 'block', reason: `rm, seen by ${bus.listenerCount('command')} listeners` });
});
bus.prependListener('command', function ({ add }) {
  this.order.push('first');
  add(null);
});
bus.once('command', ({ add }) => add({ action: 'ask', reason: 'the first command of the day' }));
bus.addListener('tick', (...numbers) => bus.order.push(...numbers));

async function waits() {
  const controller = new AbortController();
  setImmediate(() => {
    bus.emit('ready', 1, 'two');
    queueMicrotask(() => controller.abort());
  });
  const ready = await once(bus, 'ready');
  const seen = [];
  try {
    setImmediate(() => bus.emit('tick', 1) && bus.emit('tick', 2));
    for await (const [number] of on(bus, 'tick')) if (seen.push(number) === 2) break;
    await once(bus, 'never', { signal: controller.signal });
  } catch (error) {
    seen.push(error.name);
  }
  return `${ready}; ${seen}; ${bus.eventNames().map(String).sort()}; ${bus.order}`;
}

export default {
  async run(point, { toolName, args }) {
    if (toolName === 'unheard') return bus.emit('nobody') ? { action: 'block' } : { action: 'allow' };
    if (toolName === 'wait') return { action: 'ask', reason: await waits() };
    if (toolName === 'error') bus.emit('error', new RangeError('nobody listens to this'));
    return bus.ask('command', args.command).find(Boolean) ?? { action: 'allow' };
  },
};
