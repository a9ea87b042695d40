export function createHook(config) {
  return {
    run(point, payload) {
      if (payload.text.includes(config.word)) return { action: "block", reason: "a secret" };
      return { action: "allow" };
    },
  };
}
