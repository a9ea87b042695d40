export const createHook = () => new Promise(() => {});
