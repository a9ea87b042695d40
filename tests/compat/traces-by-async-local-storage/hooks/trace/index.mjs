import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFile } from 'node:fs/promises';

const storage = new AsyncLocalStorage();
const emitter = new EventEmitter();
const trace = (step) => storage.getStore()?.steps.push(`${storage.getStore().id}.${step}`);

async function branch(name, ms) {
  trace(`${name} begins`);
  await sleep(ms);
  trace(`${name} ends`);
}

function viaCallbacks() {
  return new Promise((resolve) => {
    emitter.once('done', AsyncResource.bind(() => trace('bound')));
    setImmediate(() => {
      trace('immediate');
      process.nextTick(() => {
        trace('tick');
        emitter.emit('done');
        resolve();
      });
    });
  });
}

export const createHook = () => ({
  async run(point, { toolName, args }) {
    if (toolName === 'outside') {
      const inside = storage.run({ id: 'in', steps: [] }, () => storage.exit(() => storage.getStore()));
      return { action: 'ask', reason: `${storage.getStore()} ${inside}` };
    }
    return storage.run({ id: args.id, steps: [] }, async () => {
      await Promise.all([branch('a', 30), branch('b', 1)]);
      await viaCallbacks();
      await readFile(new URL(import.meta.url));
      const other = await storage.run({ id: 'other', steps: [] }, async () => (await sleep(1), storage.getStore().id));
      trace(`after ${other}`);
      return { action: 'block', reason: storage.getStore().steps.join(', ') };
    });
  },
});
