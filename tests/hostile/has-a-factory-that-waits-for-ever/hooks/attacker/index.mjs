export function createHook() {
  setInterval(() => {}, 50);
  return new Promise(() => {});
}
