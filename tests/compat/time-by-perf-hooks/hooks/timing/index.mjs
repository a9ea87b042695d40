import { performance, PerformanceObserver } from 'node:perf_hooks';

const times = [];
const names = [];
const observer = new PerformanceObserver((list) => names.push(...list.getEntries().map(({ name }) => name)));
observer.observe({ entryTypes: ['measure'] });

function primes(limit) {
  const found = [];
  for (let candidate = 2; candidate < limit; candidate++) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  }
  return found;
}

export const createHook = () => ({
  async run(point, { toolName, args }) {
    if (toolName === 'summary') {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const entries = performance.getEntriesByType('measure').length;
      const sane = times.every((ms) => ms >= 0) && performance.now() > 0 && performance.timeOrigin > 1.6e12;
      return { action: 'block', reason: `${times.length} times, ${entries} entries, ${sane}, ${names.join()}` };
    }
    performance.mark('begin');
    const before = performance.now();
    const found = primes(args.n);
    times.push(performance.now() - before);
    performance.mark('end', { detail: { n: args.n } });
    const measure = performance.measure(`primes ${args.n}`, 'begin', 'end');
    if (measure.duration < 0 || measure.entryType !== 'measure') throw new Error('time runs backwards');
    return { action: 'modify', payload: { args: { n: args.n, primes: found.length, last: found.at(-1) } } };
  },
});
