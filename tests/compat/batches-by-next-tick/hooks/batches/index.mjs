class Batcher {
  queue = [];
  batches = [];

  add(item) {
    return new Promise((resolve) => {
      if (this.queue.length === 0) process.nextTick(() => this.flush());
      this.queue.push({ item, resolve });
    });
  }

  flush() {
    const batch = this.queue.splice(0);
    this.batches.push(batch.map(({ item }) => item).join(''));
    for (const { item, resolve } of batch) resolve(item.toUpperCase());
  }
}

const order = () =>
  new Promise((resolve) => {
    const seen = [];
    // From an immediate, so that where we come from is the same for all.
    setImmediate(() => {
      setTimeout(() => resolve(seen.join(' ')), 30);
      setImmediate(() => seen.push('immediate'));
      process.nextTick(() => {
        seen.push('tick1');
        Promise.resolve().then(() => seen.push('micro-in-tick'));
        process.nextTick(() => seen.push('tick-in-tick'));
      });
      Promise.resolve().then(() => {
        seen.push('micro1');
        process.nextTick(() => seen.push('tick-in-micro'));
      });
      queueMicrotask(() => seen.push('micro2'));
      process.nextTick(() => seen.push('tick2'));
      seen.push('sync');
    });
  });

export const createHook = () => {
  const batcher = new Batcher();
  return {
    async run(point, { toolName, args }) {
      if (toolName === 'order') return { action: 'block', reason: await order() };
      if (toolName === 'args') {
        const got = await new Promise((resolve) => process.nextTick((...list) => resolve(list), 1, 'b', null));
        return { action: 'ask', reason: JSON.stringify(got) };
      }
      const items = await Promise.all(args.items.map((item) => batcher.add(item)));
      return { action: 'modify', payload: { args: { items, batches: batcher.batches } } };
    },
  };
};
