export function createHook() {
  process.exit(6);
}
