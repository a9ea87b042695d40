export default {
  async run(point, payload, ctx) {
    ctx.log(typeof Deno, typeof __bootstrap, typeof __hookhost, typeof __hookhostNode);
    ctx.log(Object.getOwnPropertyNames(globalThis).filter((name) => /deno|hookhost|bootstrap|primordials/i.test(name)).join(" "));
    ctx.log(typeof globalThis.Deno?.core);
    return { action: "allow" };
  },
};
