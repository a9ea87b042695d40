import { kept } from '../../shared.mjs';

export default {
  run(point, payload, ctx) {
    globalThis.secret = Object.prototype.secret = Array.prototype.secret = Function.prototype.secret = 'secret';
    globalThis[Symbol.for('secret')] = kept.secret = ctx.env.secret = ctx.secret = payload.secret = 'secret';
    return { action: 'allow' };
  },
};
