export function createHook() {
  return { run: () => ({ action: "block", reason: "the named export" }) };
}

export default { run: () => ({ action: "block", reason: "the default export" }) };
