// What is thrown is no error, or one that cannot be looked at.
const hostile = () => {
  throw new Error('do not look');
};
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const odd = {
  null: null,
  undefined,
  symbol: Symbol('odd'),
  proxy: new Proxy({}, { get: hostile, getPrototypeOf: hostile, has: hostile, ownKeys: hostile }),
  revoked: revoked.proxy,
  text: { toString: hostile, [Symbol.toPrimitive]: hostile },
  giant: 'x'.repeat(1 << 20),
  error: Object.defineProperties(new Error(), { message: { get: hostile }, stack: { get: hostile } }),
  allow: { action: 'allow' },
};

export default {
  run(point, { text }) {
    if (text === 'deep') return this.run(point, { text });
    if (text in odd) throw odd[text];
    return { action: 'allow' };
  },
};
