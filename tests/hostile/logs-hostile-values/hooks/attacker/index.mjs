export default {
  run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const trap = () => { throw new Error('trap'); };
    const round = {};
    round.round = round;
    const traps = { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap };
    ctx.log('getter', { get x() { trap(); }, get [Symbol.toStringTag]() { trap(); } });
    ctx.log('proxy', new Proxy({}, traps));
    ctx.log('cycle', round);
    ctx.log('symbol', Symbol('s'), 10n, null, undefined, Object.create(null));
    ctx.log('inspect', { [Symbol.for('Deno.customInspect')]: trap, [Symbol.for('nodejs.util.inspect.custom')]: trap });
    console.log('%o %d %c', { toString: trap }, Symbol('d'), 'color: red');
    ctx.log();
    return { action: 'block', reason: 'logged' };
  },
};
