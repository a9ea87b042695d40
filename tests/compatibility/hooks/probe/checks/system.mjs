import os from 'node:os';
import process from 'node:process';

const types = (object) => Object.entries(object).map(([name, value]) => [name, typeof value]).sort();

const thrown = (start) => {
  try {
    return start();
  } catch (error) {
    return [error.name, error.code];
  }
};

export const checks = {
  os: {
    EOL: () => os.EOL,
    devNull: () => os.devNull,
    arch: () => os.arch(),
    platform: () => os.platform(),
    type: () => os.type(),
    release: () => os.release() === os.release() && os.release().length > 3,
    version: () => [os.version().length > 0, os.version() === os.release()],
    machine: () => os.machine(),
    hostname: () => os.hostname().length > 0,
    homedir: () => [os.homedir() === (process.env.HOME ?? os.homedir()), os.homedir().length > 0],
    tmpdir: () => os.tmpdir() === (process.env.TMPDIR ?? '/tmp').replace(/(.)\/$/, '$1'),
    endianness: () => os.endianness(),
    uptime: () => [typeof os.uptime(), os.uptime() > 0],
    loadavg: () => os.loadavg().map((value) => typeof value),
    totalmem: () => os.totalmem() > 2 ** 20,
    freemem: () => [os.freemem() > 2 ** 20, os.freemem() < os.totalmem()],
    cpus: () => [os.cpus().length > 0, types(os.cpus()[0]), types(os.cpus()[0].times), os.cpus()[0].times.user > 0],
    availableParallelism: () => os.availableParallelism() > 0,
    networkInterfaces: () => types(Object.values(os.networkInterfaces()).flat().find(({ internal, family }) => internal && family === 'IPv4')),
    userInfo: () => [types(os.userInfo()), os.userInfo().uid === process.getuid(), os.userInfo().username.length > 0, Buffer.isBuffer(os.userInfo({ encoding: 'buffer' }).username)],
    getPriority: () => typeof os.getPriority(),
    setPriority: () => os.setPriority(os.getPriority()),
    constants: () => os.constants,
  },
  process: {
    abort: () => typeof process.abort,
    allowedNodeEnvironmentFlags: () => process.allowedNodeEnvironmentFlags instanceof Set,
    arch: () => process.arch,
    argv: () => [process.argv.length >= 2, process.argv.every((text) => typeof text === 'string'), process.argv[0] === process.execPath],
    argv0: () => typeof process.argv0,
    config: () => typeof process.config.variables,
    constrainedMemory: () => typeof process.constrainedMemory(),
    availableMemory: () => typeof process.availableMemory(),
    cpuUsage: () => [types(process.cpuUsage()), types(process.cpuUsage(process.cpuUsage()))],
    cwd: () => process.cwd().startsWith('/'),
    chdir() {
      const before = process.cwd();
      process.chdir('/');
      const after = process.cwd();
      process.chdir(before);
      return after;
    },
    debugPort: () => process.debugPort,
    emitWarning: () => new Promise((resolve) => {
      process.once('warning', (warning) => resolve([warning.name, warning.message, warning.code]));
      process.emitWarning('careful', { type: 'Careful', code: 'C1' });
    }),
    env() {
      process.env.COMPATIBILITY = 5;
      const seen = [process.env.COMPATIBILITY, 'COMPATIBILITY' in process.env, Object.keys(process.env).includes('COMPATIBILITY'), process.env.NOT_THERE];
      delete process.env.COMPATIBILITY;
      return [...seen, process.env.COMPATIBILITY, typeof process.env.PATH, { ...process.env }.PATH === process.env.PATH];
    },
    execArgv: () => Array.isArray(process.execArgv),
    execPath: () => typeof process.execPath,
    exitCode() {
      const before = process.exitCode;
      process.exitCode = 0;
      const after = process.exitCode;
      process.exitCode = undefined;
      return [before, after];
    },
    'exitCode: what is no code': () => thrown(() => (process.exitCode = 'x')),
    features: () => ['inspector', 'ipv6', 'tls', 'uv'].map((name) => [name, process.features[name]]),
    getActiveResourcesInfo: () => Array.isArray(process.getActiveResourcesInfo()),
    getegid: () => process.getegid() === process.getgid(),
    geteuid: () => process.geteuid() === process.getuid(),
    getgid: () => typeof process.getgid(),
    getgroups: () => Array.isArray(process.getgroups()),
    getuid: () => typeof process.getuid(),
    hasUncaughtExceptionCaptureCallback: () => process.hasUncaughtExceptionCaptureCallback(),
    setUncaughtExceptionCaptureCallback() {
      process.setUncaughtExceptionCaptureCallback(() => {});
      const set = process.hasUncaughtExceptionCaptureCallback();
      process.setUncaughtExceptionCaptureCallback(null);
      return set;
    },
    hrtime: () => [process.hrtime().length, process.hrtime(process.hrtime())[0], typeof process.hrtime.bigint()],
    initgroups: () => typeof process.initgroups,
    kill: () => [process.kill(process.pid, 0), thrown(() => process.kill(2 ** 22 + 5, 0)), thrown(() => process.kill(process.pid, 'NONSENSE')), thrown(() => process.kill('x'))],
    memoryUsage: () => [types(process.memoryUsage()), process.memoryUsage.rss() > 2 ** 20],
    nextTick: () => new Promise((resolve) => {
      const order = [];
      setImmediate(() => resolve(order));
      setTimeout(() => order.push('timer'), 0);
      Promise.resolve().then(() => order.push('promise'));
      process.nextTick((value) => order.push(value), 'tick');
      order.push('now');
      setImmediate(() => order.push('immediate'));
    }).then((order) => order.filter((word) => word !== 'timer')),
    on: () => [typeof process.on('beforeExit', () => {}), typeof process.emit, process.emit('my event')],
    'on: exit'() {
      const told = () => {};
      const before = process.listenerCount('exit');
      process.on('exit', told);
      const more = process.listenerCount('exit') - before;
      process.off('exit', told);
      return more;
    },
    'on: SIGUSR2'() {
      const told = () => {};
      process.on('SIGUSR2', told);
      process.off('SIGUSR2', told);
    },
    'on: uncaughtException': () => {
      const told = () => {};
      process.on('uncaughtException', told);
      process.off('uncaughtException', told);
      return process.listenerCount('uncaughtException');
    },
    'on: unhandledRejection': () => new Promise((resolve) => {
      process.once('unhandledRejection', (reason) => resolve(reason.message));
      Promise.reject(new Error('nobody waits'));
    }),
    pid: () => [typeof process.pid, process.pid > 0],
    ppid: () => typeof process.ppid,
    platform: () => process.platform,
    release: () => process.release.name,
    report: () => typeof process.report.getReport().header,
    resourceUsage: () => types(process.resourceUsage()),
    setegid: () => process.setegid(process.getegid()),
    seteuid: () => process.seteuid(process.geteuid()),
    setgid: () => process.setgid(process.getgid()),
    setuid: () => process.setuid(process.getuid()),
    setgroups: () => typeof process.setgroups,
    setSourceMapsEnabled: () => process.setSourceMapsEnabled(false),
    stdin: () => [process.stdin.fd, typeof process.stdin.on, Boolean(process.stdin.isTTY)],
    stdout: () => [process.stdout.fd, process.stdout.write(''), Boolean(process.stdout.isTTY), typeof process.stdout.columns],
    stderr: () => [process.stderr.fd, process.stderr.write(''), Boolean(process.stderr.isTTY)],
    title: () => typeof process.title,
    umask: () => typeof process.umask(),
    'umask: setting it'() {
      const before = process.umask(0o22);
      process.umask(before);
    },
    uptime: () => process.uptime() > 0,
    version: () => /^v\d+\.\d+\.\d+/.test(process.version),
    versions: () => ['node', 'v8', 'uv', 'zlib', 'modules', 'openssl', 'unicode'].map((name) => [name, typeof process.versions[name]]),
    getBuiltinModule: () => [typeof process.getBuiltinModule('node:fs').readFileSync, process.getBuiltinModule('nonsense')],
    binding: () => typeof process.binding('constants'),
    dlopen: () => typeof process.dlopen,
    loadEnvFile: () => thrown(() => process.loadEnvFile('/no/such/file')),
    assert: () => typeof process.assert,
    channel: () => process.channel,
    connected: () => process.connected,
    send: () => process.send,
    permission: () => process.permission,
    sourceMapsEnabled: () => process.sourceMapsEnabled,
    finalization: () => typeof process.finalization,
  },
};
