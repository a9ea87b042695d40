export function createHook(config) {
  return { run: () => ({ action: "allow", list: config.words.join() }), list: config.words.length };
}
