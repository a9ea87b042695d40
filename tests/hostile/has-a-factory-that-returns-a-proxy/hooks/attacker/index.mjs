export function createHook() {
  return new Proxy({}, { get() { throw new Error('trap'); } });
}
