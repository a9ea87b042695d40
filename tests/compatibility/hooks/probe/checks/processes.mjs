import childProcess from 'node:child_process';

function called(start) {
  return new Promise((resolve) => start((error, stdout, stderr) => resolve([error && [error.name, error.code, error.signal, error.killed], stdout, stderr])));
}

/** What comes of a child process. */
function ended(child, input) {
  return new Promise((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdout?.on('data', (data) => (stdout += data));
    child.stderr?.on('data', (data) => (stderr += data));
    child.on('error', reject);
    child.on('close', (code, signal) => resolve([code, signal, stdout, stderr]));
    child.stdin?.end(input);
  });
}

const thrown = (start) => {
  try {
    return start();
  } catch (error) {
    return [error.name, error.code, error.status, String(error.stdout), String(error.stderr)];
  }
};

export const checks = {
  child_process: {
    exec: async () => [await called((done) => childProcess.exec('echo out; echo err >&2', done)), await called((done) => childProcess.exec('exit 3', done)), await called((done) => childProcess.exec('cat', { timeout: 200 }, done))],
    'exec: cwd, env, encoding': async () => [
      await called((done) => childProcess.exec('pwd; echo $X', { cwd: '/', env: { ...process.env, X: 'y' } }, done)),
      await called((done) => childProcess.exec('echo a', { encoding: 'buffer' }, done)),
      await called((done) => childProcess.exec('yes', { maxBuffer: 1000 }, (error, stdout) => done(error, stdout.length))),
    ],
    execFile: async () => [await called((done) => childProcess.execFile('echo', ['a b', '$X'], done)), await called((done) => childProcess.execFile('/no/such/program', done))],
    'execFile: promisified': async () => (await import('node:util')).promisify(childProcess.execFile)('echo', ['x']).then(({ stdout, stderr }) => [stdout, stderr]),
    execFileSync: () => [childProcess.execFileSync('echo', ['a'], { encoding: 'utf8' }), childProcess.execFileSync('cat', { input: 'in' }), thrown(() => childProcess.execFileSync('/no/such/program')).slice(0, 2)],
    execSync: () => [childProcess.execSync('echo a'), childProcess.execSync('cat', { input: 'in', encoding: 'utf8' }), thrown(() => childProcess.execSync('echo out; echo err >&2; exit 2', { stdio: 'pipe' }))],
    spawnSync: () => {
      const { pid, status, signal, stdout, stderr, output, error } = childProcess.spawnSync('sh', ['-c', 'cat; echo err >&2; exit 5'], { input: 'in' });
      const none = childProcess.spawnSync('/no/such/program');
      const late = childProcess.spawnSync('sleep', ['20'], { timeout: 100 });
      const killed = childProcess.spawnSync('sh', ['-c', 'kill -TERM $$']);
      return [typeof pid, status, signal, stdout, stderr, output.length, error, none.error.code, none.status, late.error.code, late.signal, killed.status, killed.signal];
    },
    'spawnSync: shell': () => childProcess.spawnSync('echo "$X" | tr a b', { shell: true, env: { ...process.env, X: 'aaa' }, encoding: 'utf8' }).stdout,
    spawn: async () => [
      await ended(childProcess.spawn('sh', ['-c', 'cat; echo err >&2; exit 4']), 'in'),
      await ended(childProcess.spawn('echo $0 a', { shell: true })),
      await ended(childProcess.spawn('/no/such/program')).catch((error) => [error.code, error.syscall, error.path]),
    ],
    'spawn: kill': async () => {
      const child = childProcess.spawn('sleep', ['20']);
      const over = ended(child);
      return [child.kill(), ...(await over), child.killed, child.signalCode, child.exitCode];
    },
    'spawn: AbortSignal': () => ended(childProcess.spawn('sleep', ['20'], { signal: AbortSignal.timeout(50) })).catch((error) => [error.name, error.code]),
    'spawn: stdio': async () => [await ended(childProcess.spawn('echo', ['a'], { stdio: ['ignore', 'pipe', 'ignore'] })), await ended(childProcess.spawn('true', { stdio: 'ignore' }))],
    'spawn: more pipes': () => new Promise((resolve, reject) => {
      const child = childProcess.spawn('sh', ['-c', 'echo three >&3'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
      child.on('error', reject);
      child.stdio[3].on('data', (data) => resolve(String(data)));
    }),
    'spawn: detached': () => ended(childProcess.spawn('echo', ['a'], { detached: true })),
    'spawn: properties': async () => {
      const child = childProcess.spawn('true');
      const seen = [typeof child.pid, child.spawnfile, child.spawnargs, child.connected, child instanceof childProcess.ChildProcess];
      await ended(child);
      return [...seen, child.exitCode];
    },
    // Calling it would need Node where the test runs.
    fork: () => typeof childProcess.fork,
    ChildProcess: () => typeof new childProcess.ChildProcess().spawn,
  },
};
