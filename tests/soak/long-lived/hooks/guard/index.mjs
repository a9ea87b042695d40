export function createHook({ word }) {
  return {
    run(point, { args }) {
      if (args.text.includes(word)) return { action: 'block', reason: `${args.id}: not with ${word}` };
      return { action: 'allow' };
    },
  };
}
