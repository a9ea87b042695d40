export const run = () => ({
  get action() {
    throw new Error("no peeking");
  },
});
