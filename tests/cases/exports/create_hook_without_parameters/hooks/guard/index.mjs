export function createHook() {
  return {
    run: async (point, payload, ctx) => {
      ctx.log(`${point}: ${payload.text}`);
      return { action: "allow" };
    },
  };
}
