// What a hook can reach of the machine. `Sandbox::Enforced` takes some of it away. Each says 'yes' where it got so far.

const fs = await import('node:fs').catch(() => null);
const path = (name) => new URL(name, import.meta.url);

const temporary = (ending) => `/tmp/compatibility-${process.pid}${ending}`;

const listening = async (server) => {
  await new Promise((resolve, reject) => server.on('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return { port, close: () => new Promise((resolve) => server.close(resolve)) };
};

const yes = () => 'yes';

export const facts = {
  'reading a file of its package': () => yes(fs.readFileSync(path('./files/data.json'), 'utf8')),
  'reading another file': () => yes(fs.readFileSync('/etc/hosts', 'utf8')),
  '`fs.existsSync` of another file': () => (fs.existsSync('/etc/hosts') ? 'yes' : 'false'),
  'listing another folder': () => yes(fs.readdirSync('/etc')),
  '`require` of another file': async () => {
    const require = (await import('node:module')).createRequire(import.meta.url);
    try {
      return yes(require('/etc/hosts'));
    } catch (error) {
      // It was read, then, and is no JavaScript.
      if (error instanceof SyntaxError) return 'yes';
      throw error;
    }
  },
  'writing a file of its package': () => {
    fs.writeFileSync(path('./files/written.txt'), '');
    return yes(fs.unlinkSync(path('./files/written.txt')));
  },
  'writing a temporary file': () => {
    const file = temporary('.txt');
    fs.writeFileSync(file, '');
    return yes(fs.unlinkSync(file));
  },
  'making a link in its package': () => {
    fs.symlinkSync('/etc', path('./files/link'));
    return yes(fs.unlinkSync(path('./files/link')));
  },
  'watching its package': () => yes(fs.watch(path('./files')).close()),
  'starting a program': async () => yes((await import('node:child_process')).execFileSync('echo', ['a'])),
  'starting a program, without waiting': async () => {
    const child = (await import('node:child_process')).spawn('echo', ['a']);
    return new Promise((resolve, reject) => child.on('error', reject).on('exit', () => resolve('yes')));
  },
  'asking whether another process is there (`process.kill(1, 0)`)': () => yes(process.kill(1, 0)),
  'listening on a port': async () => {
    const server = await listening((await import('node:net')).createServer());
    return yes(await server.close());
  },
  'connecting to a port': async () => {
    const net = await import('node:net');
    return new Promise((resolve, reject) => net.connect(2, '127.0.0.1').on('error', (error) => (error.code === 'ECONNREFUSED' ? resolve('yes') : reject(error))));
  },
  'looking up a name': async () => yes(await (await import('node:dns/promises')).lookup('localhost', 4)),
  'a UDP socket': async () => {
    const socket = (await import('node:dgram')).createSocket('udp4');
    await new Promise((resolve, reject) => socket.on('error', reject).bind(0, '127.0.0.1', resolve));
    return yes(socket.close());
  },
  '`fetch`': async () => {
    // Nobody listens there: who may connect is told so.
    const error = await fetch('http://127.0.0.1:2/').catch((error) => error);
    if (/refused/.test(`${error.message} ${error.cause?.message}`)) return 'yes';
    throw error;
  },
  '`process.env.PATH`': () => (process.env.PATH === undefined ? 'undefined' : 'yes'),
  'a variable that the host chose, in `process.env`': () => String(process.env.CHOSEN),
  'setting a variable': () => {
    process.env.MINE = 'yes';
    return process.env.MINE;
  },
  '`os.hostname()`': async () => yes((await import('node:os')).hostname()),
  '`os.userInfo()`': async () => yes((await import('node:os')).userInfo().username),
  '`os.networkInterfaces()`': async () => yes((await import('node:os')).networkInterfaces()),
  '`os.homedir()`': async () => yes((await import('node:os')).homedir()),
  '`os.tmpdir()`': async () => yes((await import('node:os')).tmpdir()),
  '`os.cpus()`': async () => yes((await import('node:os')).cpus()),
  '`os.release()`': async () => yes((await import('node:os')).release()),
  '`process.getuid()`': () => yes(process.getuid()),
  '`process.memoryUsage()`': () => yes(process.memoryUsage().rss),
  '`process.cwd()`': () => yes(process.cwd()),
  '`process.execPath`': () => yes(process.execPath),
  'a database in memory (`node:sqlite`)': async () => yes(new (await import('node:sqlite')).DatabaseSync(':memory:').exec),
  'a database in a file (`node:sqlite`)': async () => {
    const { DatabaseSync } = await import('node:sqlite');
    const file = temporary('.db');
    new DatabaseSync(file).close();
    return yes(fs.unlinkSync(file));
  },
};
