// Says what it sees, and hands everything back untouched.
export default {
  run(point, payload, ctx) {
    ctx.log(JSON.stringify(payload));
    return { action: 'modify', payload };
  },
};
