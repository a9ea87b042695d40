let made = 0;
let calls = 0;

export function createHook() {
  made += 1;
  return {
    run() {
      calls += 1;
      return { action: "block", reason: `factory ${made}, call ${calls}` };
    },
  };
}
