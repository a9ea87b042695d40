export function createHook() {
  throw new Error('from the factory');
}
