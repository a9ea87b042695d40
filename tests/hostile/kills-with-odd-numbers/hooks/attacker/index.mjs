export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const numbers = [
      NaN,
      2 ** 32,
      -(2 ** 32),
      2 ** 32 + process.pid,
      0.5,
      '0x',
      {},
      null,
      undefined,
      Infinity,
      2 ** 31,
      1n,
      [],
    ];
    const signals = ['SIGNONE', -1, 65, 1000, 2 ** 32, NaN, {}];
    const killed = [];
    for (const [number, signal] of [
      ...numbers.map((number) => [number, 0]),
      ...signals.map((signal) => [process.pid, signal]),
    ]) {
      try {
        process.kill(number, signal);
        killed.push(`${typeof number} ${typeof signal}`);
      } catch (error) {
        ctx.log(error.code ?? error.name);
      }
    }
    return { action: 'modify', payload: { args: { killed } } };
  },
};
