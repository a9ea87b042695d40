export const createHook = {
  run: (point) => ({ action: "block", reason: `${point}: no config here` }),
};
