export function createHook() {}
