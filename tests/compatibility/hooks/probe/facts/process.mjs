// What a hook's process is. Each of these is asked in a process of its own in Node, and in a hook of its own here.

const { process } = globalThis;
const soon = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const facts = {
  '`process.version`': () => process.version.replace(/\d+\.\d+$/, 'x'),
  '`process.argv.length`': () => process.argv.length,
  '`process.argv[0] === process.execPath`': () => process.argv[0] === process.execPath,
  '`process.exit(3)`': () => process.exit(3),
  '`process.exit()` in a `try` with a `finally`'() {
    try {
      process.exit();
    } finally {
      console.log('not reached');
    }
  },
  '`process.exitCode = 3`': () => (process.exitCode = 3),
  '`process.abort()`': () => process.abort(),
  "`process.kill(process.pid, 'SIGTERM')`": async () => {
    process.kill(process.pid, 'SIGTERM');
    await soon(5000);
  },
  'an error in a timer that nobody catches': async () => {
    setTimeout(() => {
      throw new Error('in a timer');
    }, 0);
    await soon(100);
    return 'goes on';
  },
  'an error event that nobody listens to': async () => {
    const { EventEmitter } = await import('node:events');
    setTimeout(() => new EventEmitter().emit('error', new Error('in an emitter')), 0);
    await soon(100);
    return 'goes on';
  },
  'a rejection that nobody catches': async () => {
    Promise.reject(new Error('of nobody'));
    await soon(100);
    return 'goes on';
  },
  'what is read from stdin': async () => {
    let all = '';
    for await (const chunk of process.stdin) all += chunk;
    return all;
  },
  '`fs.readFileSync(0)`': async () => (await import('node:fs')).readFileSync(0, 'utf8'),
  'what a child sees of a variable that is set in `process.env`': async () => {
    process.env.COMPATIBILITY_SET = 'it';
    return (await import('node:child_process')).execSync('echo $COMPATIBILITY_SET', { encoding: 'utf8' }).trim();
  },
  '`process.stdout.isTTY`': () => String(process.stdout.isTTY),
  '`Atomics.wait`': () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10),
};
