export default {
  async run(point, payload, ctx) {
    ctx.log({ get trap() { throw new Error("no"); } });
    ctx.log(new Proxy({}, { get() { throw new Error("no"); }, ownKeys() { throw new Error("no"); } }));
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    ctx.log(proxy);
    return { action: "allow" };
  },
};
