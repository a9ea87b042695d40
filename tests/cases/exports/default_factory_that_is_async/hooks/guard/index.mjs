export default async function (config) {
  await null;
  return { run: (point) => ({ action: "block", reason: `${point} says ${config.word}` }) };
}
