export function createHook() {
  for (;;);
}
