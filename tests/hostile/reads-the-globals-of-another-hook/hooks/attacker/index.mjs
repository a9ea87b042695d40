import { kept } from '../../shared.mjs';

export default {
  run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const found = [];
    if (typeof secret !== 'undefined') found.push('globalThis');
    if ([].secret || {}.secret || (() => {}).secret) found.push('prototypes');
    if (Symbol.for('secret') in globalThis) found.push('symbols');
    if (ctx.secret || ctx.env.secret) found.push('ctx');
    if (kept.secret) found.push('module');
    return { action: 'modify', payload: { args: { found } } };
  },
};
