export const run = () =>
  new Proxy({}, {
    get() {
      throw new Error("no peeking");
    },
  });
