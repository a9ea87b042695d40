export default {
  async run(point, payload, ctx) {
    ctx.log(typeof Deno, typeof __bootstrap, typeof __hookhost);
    ctx.log(Object.getOwnPropertyNames(globalThis).filter((name) => /deno|hookhost|bootstrap|primordials/i.test(name)).join(" "));
    return { action: "allow" };
  },
};
