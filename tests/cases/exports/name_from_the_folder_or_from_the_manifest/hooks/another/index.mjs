export default { run: (_point, _payload, ctx) => { ctx.log(ctx.hookName); return { action: "allow" }; } };
