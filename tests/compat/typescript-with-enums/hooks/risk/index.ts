enum Risk {
  Low,
  Medium,
  High,
}

const enum Action {
  Allow = 'allow',
  Ask = 'ask',
  Block = 'block',
}

namespace Texts {
  export const by = (name: string) => `by ${name}`;
}

class Gate {
  constructor(private readonly name: string, public threshold: Risk = Risk.Medium) {}

  decide(risk: Risk) {
    if (risk > this.threshold) return { action: Action.Block, reason: `${Risk[risk]} is ${risk}` };
    if (risk === this.threshold) return { action: Action.Ask, reason: `${Risk[risk]}, ${Texts.by(this.name)}` };
    return { action: Action.Allow };
  }
}

export function createHook() {
  const gate = new Gate('gate');
  return {
    run(_point: string, { args }: { args: { risk: keyof typeof Risk } }) {
      return gate.decide(Risk[args.risk]);
    },
  };
}
