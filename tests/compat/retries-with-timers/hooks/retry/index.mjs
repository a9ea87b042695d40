import { setTimeout as sleep, setInterval as every, setImmediate as soon, scheduler } from 'node:timers/promises';
import timers from 'node:timers';

async function withRetries(attempts, action) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action(attempt);
    } catch (error) {
      if (attempt >= attempts) throw new Error(`gave up after ${attempt}`, { cause: error });
      await sleep(2 ** attempt, undefined, { ref: false });
    }
  }
}

async function everything() {
  const seen = [];
  for await (const value of every(1, 'tick')) if (seen.push(value) === 3) break;
  seen.push(await soon('soon'));
  await scheduler.wait(1);
  const never = timers.setTimeout(() => seen.push('never'), 5);
  seen.push(typeof never.unref, never.hasRef(), never.unref().hasRef(), never.ref() === never);
  clearTimeout(never);
  const number = setTimeout(() => seen.push('never'), 5);
  clearTimeout(+number);
  await new Promise((resolve) => setTimeout((a, b) => resolve(seen.push(a + b)), 20, 'with ', 'arguments'));
  return seen.join(' ');
}

export async function createHook({ attempts }) {
  return {
    async run(point, { toolName, args }) {
      if (toolName === 'timers') return { action: 'ask', reason: await everything() };
      if (toolName === 'abort') {
        const error = await sleep(60_000, null, { signal: AbortSignal.abort('enough') }).catch((reason) => reason);
        return { action: 'ask', reason: `${error.name} ${error.code} ${error.cause}` };
      }
      try {
        const attempt = await withRetries(attempts, async (number) => {
          if (number <= args.fails) throw new Error(`attempt ${number}`);
          return number;
        });
        return { action: 'modify', payload: { args: { attempt } } };
      } catch (error) {
        return { action: 'block', reason: `${error.message}: ${error.cause.message}` };
      }
    },
  };
}
