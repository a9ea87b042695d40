export default {
  async run(point, payload, ctx) {
    ctx.log(typeof Deno, typeof __bootstrap, typeof __hookhost, typeof __hookhostNode);
    ctx.log(Object.getOwnPropertyNames(globalThis).filter((name) => /deno|hookhost|bootstrap|primordials/i.test(name)).join(" "));
    ctx.log(typeof Deno.core, typeof Deno.internal, typeof Deno[Deno.internal], typeof Deno.Command, typeof Deno.dlopen);
    return { action: "allow" };
  },
};
