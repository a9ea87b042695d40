export async function createHook(config) {
  await null;
  return { run: (point) => ({ action: "block", reason: `${point} says ${config.word}` }) };
}
