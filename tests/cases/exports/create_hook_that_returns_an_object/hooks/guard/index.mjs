export function createHook(config) {
  return {
    run(point) {
      return { action: "block", reason: `${point} says ${config.word}` };
    },
  };
}
