class Plan {
  #steps;
  closed = 0;

  constructor(steps) {
    this.#steps = steps;
  }

  async *[Symbol.asyncIterator]() {
    try {
      for (const [number, group] of this.#steps.entries()) yield* this.#group(group, number);
    } finally {
      this.closed += 1;
    }
  }

  async *#group(group, number) {
    groups: for (const text of group) {
      for (const word of text.split(' ')) if (word === 'skip') continue groups;
      await null;
      yield { number, verb: text.split(' ')[0], object: text.split(' ')[1] ?? null };
    }
  }
}

async function* guarded(source) {
  try {
    for await (const step of source) {
      const answer = yield step;
      if (answer === 'stop') return 'stopped';
    }
    return 'done';
  } catch (error) {
    yield { verb: 'failed', object: error.message };
  }
}

const RISK = { read: 0, write: 1, deploy: 2 };

export const createHook = () => ({
  async run(point, { args }) {
    const plan = new Plan(args.steps);
    const steps = guarded(plan);
    const reads = [];
    let next = await steps.next();
    loop: while (!next.done) {
      const { number, verb, object } = next.value;
      switch (RISK[verb]) {
        case 0:
          reads.push(object);
          break;
        case 1:
          next = await steps.next('go on');
          continue loop;
        case 2: {
          const { value } = await steps.next('stop');
          return { action: 'ask', reason: `step ${number} deploys after reading ${reads.join('')} (${value}, closed ${plan.closed})` };
        }
        default: {
          const { value } = await steps.throw(new RangeError(`cannot ${verb}`));
          return { action: 'block', reason: `${value.verb}: ${value.object} (closed ${plan.closed})` };
        }
      }
      next = await steps.next();
    }
    return { action: 'allow' };
  },
});
