export const createHook = 7;
