export default {
  async run(point, payload, ctx) {
    ctx.log("text");
    ctx.log(1, 2n, true, null, undefined, Symbol("s"));
    ctx.log({ a: { b: [1, new Map([["k", 1]])] } });
    ctx.log(new Error("an error").message);
    ctx.log();
    ctx.log("two\nlines");
    const cycle = {};
    cycle.self = cycle;
    ctx.log(cycle);
    console.log("%s is %d", "console", 1);
    console.error("and console.error");
    return { action: "allow" };
  },
};
