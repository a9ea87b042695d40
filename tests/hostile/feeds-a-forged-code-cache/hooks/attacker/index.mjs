import vm from 'node:vm';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const code = `globalThis.sum = 0; for (let i = 0; i < 10; i++) globalThis.sum += i; ${'function f() { return [1, 2, { a: 3 }]; } f();'.repeat(50)}`;
    const good = new vm.Script(code).createCachedData();
    let accepted = 0;
    for (let round = 0; round < 200; round++) {
      const cachedData = Buffer.from(good);
      for (let at = 32 + ((round * 7) % 50); at < cachedData.length; at += 13 + round)
        cachedData[at] ^= 1 << (round % 8);
      const script = new vm.Script(code, { cachedData });
      if (!script.cachedDataRejected) accepted += 1;
      script.runInThisContext();
    }
    for (const cachedData of [
      Buffer.alloc(0),
      Buffer.alloc(4),
      Buffer.alloc(10000),
      good.subarray(0, 20),
      good.subarray(1),
    ]) {
      new vm.Script(code, { cachedData }).runInThisContext();
    }
    ctx.log(`accepted ${accepted}`);
    return { action: 'modify', payload: { args: {} } };
  },
};
