import { spawn, spawnSync } from 'node:child_process';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const started = [];
    const zero = 'a' + String.fromCharCode(0);
    for (const [command, list, options] of [
      [zero],
      ['', []],
      ['none-such'],
      ['true', [zero]],
      ['true', [], { cwd: '/none/such' }],
      ['true', [], { cwd: zero }],
      ['true', [], { env: { [zero]: 'x' } }],
      ['true', [], { env: { 'a=b': 'x', '': 'y' } }],
      ['true', [], { env: { a: zero } }],
      ['true', [], { argv0: zero }],
      ['true', [], { stdio: [999, -1, {}] }],
      ['true', [], { uid: 2 ** 32 }],
      ['true', [], { gid: -1 }],
      ['true', [], { timeout: -1 }],
      ['true', [], { killSignal: 'SIGNONE' }],
      ['true', [], { shell: zero }],
      ['true', ['x'.repeat(10000000)]],
      ['true', [], { input: {} }],
      ['true', [], { maxBuffer: -1 }],
      ['true', [], { stdio: Array(2000).fill('pipe') }],
    ]) {
      for (const start of [spawnSync, spawn]) {
        try {
          const child = start(command, list, options);
          child.on?.('error', () => {});
          if (child.error === undefined) started.push(`${start.name} ${JSON.stringify([command, options])}`);
        } catch (error) {
          ctx.log(error.message);
        }
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    ctx.log(started);
    return { action: 'modify', payload: { args: {} } };
  },
};
