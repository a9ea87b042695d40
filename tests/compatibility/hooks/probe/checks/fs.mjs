import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import promises from 'node:fs/promises';

/** Calls `use` with a new folder that holds `a.txt` ("alpha") and `sub/b.txt` ("beta"). */
async function inFolder(use) {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'compatibility-'));
  const at = (name) => path.join(folder, name);
  try {
    fs.writeFileSync(at('a.txt'), 'alpha');
    fs.mkdirSync(at('sub'));
    fs.writeFileSync(at('sub/b.txt'), 'beta');
    return await use(at, folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const inFolders = (checks) =>
  Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, () => inFolder(check)]));

/** The result of a function that takes a callback. */
function called(start) {
  return new Promise((resolve, reject) => {
    start((error, ...values) => (error ? reject(error) : resolve(values.length > 1 ? values : values[0])));
  });
}

function thrown(start) {
  try {
    start();
    return 'nothing';
  } catch (error) {
    return [error.name, error.code, error.syscall, typeof error.errno, error.message.replace(error.path, '<path>')];
  }
}

const kinds = (stats) => [
  stats.isFile(),
  stats.isDirectory(),
  stats.isSymbolicLink(),
  stats.isFIFO(),
  stats.isSocket(),
  stats.isBlockDevice(),
  stats.isCharacterDevice(),
];

const about = (stats) => [
  kinds(stats),
  stats.size,
  (stats.mode & 0o777).toString(8),
  stats.nlink,
  stats.uid === process.getuid(),
  typeof stats.ino,
  stats.mtime instanceof Date,
  stats.mtimeMs > 0,
  stats.birthtime instanceof Date,
  stats.constructor.name,
];

const collected = async (stream) => {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).toString();
};

const sorted = (entries) => [...entries].sort((a, b) => ((a.name ?? a) < (b.name ?? b) ? -1 : 1));

/** Waits until `changed` was told about `name`. */
function watched(start, change) {
  return new Promise((resolve, reject) => {
    const watcher = start((event, name) => {
      clearInterval(timer);
      watcher.close();
      resolve([typeof event, name]);
    });
    watcher.on?.('error', reject);
    const timer = setInterval(change, 50);
  });
}

export const checks = {
  fs: inFolders({
    accessSync: (at) => [
      fs.accessSync(at('a.txt')),
      fs.accessSync(at('a.txt'), fs.constants.R_OK | fs.constants.W_OK),
      thrown(() => fs.accessSync(at('none'))),
    ],
    access: async (at) => [await called((done) => fs.access(at('a.txt'), done)), await called((done) => fs.access(at('none'), done)).catch((error) => error.code)],
    appendFileSync(at) {
      fs.appendFileSync(at('a.txt'), ' and more');
      fs.appendFileSync(at('new.txt'), Buffer.from('new'));
      return [fs.readFileSync(at('a.txt'), 'utf8'), fs.readFileSync(at('new.txt'), 'utf8')];
    },
    async appendFile(at) {
      await called((done) => fs.appendFile(at('a.txt'), '!', done));
      return fs.readFileSync(at('a.txt'), 'utf8');
    },
    chmodSync(at) {
      fs.chmodSync(at('a.txt'), 0o640);
      return (fs.statSync(at('a.txt')).mode & 0o777).toString(8);
    },
    async chmod(at) {
      await called((done) => fs.chmod(at('a.txt'), '600', done));
      return (fs.statSync(at('a.txt')).mode & 0o777).toString(8);
    },
    chownSync: (at) => fs.chownSync(at('a.txt'), process.getuid(), process.getgid()),
    chown: (at) => called((done) => fs.chown(at('a.txt'), process.getuid(), process.getgid(), done)),
    lchownSync: (at) => fs.lchownSync(at('a.txt'), process.getuid(), process.getgid()),
    lchown: (at) => called((done) => fs.lchown(at('a.txt'), process.getuid(), process.getgid(), done)),
    fchownSync(at) {
      const fd = fs.openSync(at('a.txt'), 'r+');
      fs.fchownSync(fd, process.getuid(), process.getgid());
      fs.closeSync(fd);
    },
    async fchown(at) {
      const fd = fs.openSync(at('a.txt'), 'r+');
      await called((done) => fs.fchown(fd, process.getuid(), process.getgid(), done));
      fs.closeSync(fd);
    },
    constants: () => fs.constants,
    copyFileSync(at) {
      fs.copyFileSync(at('a.txt'), at('c.txt'));
      return [fs.readFileSync(at('c.txt'), 'utf8'), thrown(() => fs.copyFileSync(at('a.txt'), at('c.txt'), fs.constants.COPYFILE_EXCL))[1]];
    },
    async copyFile(at) {
      await called((done) => fs.copyFile(at('a.txt'), at('c.txt'), done));
      return fs.readFileSync(at('c.txt'), 'utf8');
    },
    cpSync(at) {
      fs.cpSync(at('sub'), at('copy'), { recursive: true });
      return fs.readFileSync(at('copy/b.txt'), 'utf8');
    },
    async cp(at) {
      await called((done) => fs.cp(at('sub'), at('copy'), { recursive: true }, done));
      return fs.readFileSync(at('copy/b.txt'), 'utf8');
    },
    createReadStream: async (at) => [
      await collected(fs.createReadStream(at('a.txt'))),
      await collected(fs.createReadStream(at('a.txt'), { start: 1, end: 3, encoding: 'utf8' })),
      await collected(fs.createReadStream(at('none'))).catch((error) => error.code),
    ],
    async createWriteStream(at) {
      const stream = fs.createWriteStream(at('w.txt'));
      stream.write('one ');
      stream.end('two');
      await new Promise((resolve, reject) => stream.on('finish', resolve).on('error', reject));
      return [fs.readFileSync(at('w.txt'), 'utf8'), stream.bytesWritten];
    },
    existsSync: (at) => [fs.existsSync(at('a.txt')), fs.existsSync(at('sub')), fs.existsSync(at('none')), fs.existsSync(undefined)],
    exists: async (at) => [await new Promise((done) => fs.exists(at('a.txt'), done)), await new Promise((done) => fs.exists(at('none'), done))],
    openSync(at) {
      const fd = fs.openSync(at('o.txt'), 'w+', 0o600);
      const written = fs.writeSync(fd, 'hello world');
      const buffer = Buffer.alloc(5);
      const read = fs.readSync(fd, buffer, 0, 5, 6);
      fs.closeSync(fd);
      return [typeof fd, written, read, buffer.toString(), thrown(() => fs.openSync(at('none'), 'r')), thrown(() => fs.openSync(at('a.txt'), 'wx'))[1]];
    },
    async open(at) {
      const fd = await called((done) => fs.open(at('a.txt'), 'r', done));
      const [count, buffer] = await called((done) => fs.read(fd, Buffer.alloc(10), 0, 10, 0, done));
      await called((done) => fs.close(fd, done));
      return [typeof fd, count, buffer.subarray(0, count).toString()];
    },
    closeSync: () => thrown(() => fs.closeSync(100000)).slice(0, 2),
    close: () => called((done) => fs.close(100000, done)).catch((error) => error.code),
    readSync(at) {
      const fd = fs.openSync(at('a.txt'), 'r');
      const buffer = Buffer.alloc(3);
      const first = fs.readSync(fd, buffer);
      const second = fs.readSync(fd, buffer, { offset: 0, length: 3 });
      fs.closeSync(fd);
      return [first, second, buffer.toString()];
    },
    async read(at) {
      const fd = fs.openSync(at('a.txt'), 'r');
      const [count, buffer] = await called((done) => fs.read(fd, { buffer: Buffer.alloc(3), position: 2 }, done));
      fs.closeSync(fd);
      return [count, buffer.toString()];
    },
    readvSync(at) {
      const fd = fs.openSync(at('a.txt'), 'r');
      const buffers = [Buffer.alloc(2), Buffer.alloc(3)];
      const count = fs.readvSync(fd, buffers, 0);
      fs.closeSync(fd);
      return [count, buffers.map(String)];
    },
    async readv(at) {
      const fd = fs.openSync(at('a.txt'), 'r');
      const [count, buffers] = await called((done) => fs.readv(fd, [Buffer.alloc(2), Buffer.alloc(3)], 0, done));
      fs.closeSync(fd);
      return [count, buffers.map(String)];
    },
    writeSync(at) {
      const fd = fs.openSync(at('w'), 'w');
      const counts = [fs.writeSync(fd, 'äb'), fs.writeSync(fd, Buffer.from('12345'), 1, 3), fs.writeSync(fd, 'X', 0)];
      fs.closeSync(fd);
      return [counts, fs.readFileSync(at('w'))];
    },
    async write(at) {
      const fd = fs.openSync(at('w'), 'w');
      const [count, text] = await called((done) => fs.write(fd, 'text', done));
      const [more] = await called((done) => fs.write(fd, Buffer.from('more'), done));
      fs.closeSync(fd);
      return [count, text, more, fs.readFileSync(at('w'), 'utf8')];
    },
    writevSync(at) {
      const fd = fs.openSync(at('w'), 'w');
      const count = fs.writevSync(fd, [Buffer.from('ab'), Buffer.from('cd')]);
      fs.closeSync(fd);
      return [count, fs.readFileSync(at('w'), 'utf8')];
    },
    async writev(at) {
      const fd = fs.openSync(at('w'), 'w');
      const [count] = await called((done) => fs.writev(fd, [Buffer.from('ab'), Buffer.from('cd')], done));
      fs.closeSync(fd);
      return [count, fs.readFileSync(at('w'), 'utf8')];
    },
    fstatSync(at) {
      const fd = fs.openSync(at('a.txt'), 'r');
      const stats = about(fs.fstatSync(fd));
      fs.closeSync(fd);
      return stats;
    },
    async fstat(at) {
      const fd = fs.openSync(at('a.txt'), 'r');
      const stats = about(await called((done) => fs.fstat(fd, done)));
      fs.closeSync(fd);
      return stats;
    },
    fchmodSync(at) {
      const fd = fs.openSync(at('a.txt'), 'r+');
      fs.fchmodSync(fd, 0o604);
      fs.closeSync(fd);
      return (fs.statSync(at('a.txt')).mode & 0o777).toString(8);
    },
    async fchmod(at) {
      const fd = fs.openSync(at('a.txt'), 'r+');
      await called((done) => fs.fchmod(fd, 0o604, done));
      fs.closeSync(fd);
      return (fs.statSync(at('a.txt')).mode & 0o777).toString(8);
    },
    fsyncSync(at) {
      const fd = fs.openSync(at('a.txt'), 'r+');
      const value = fs.fsyncSync(fd);
      fs.closeSync(fd);
      return value;
    },
    async fsync(at) {
      const fd = fs.openSync(at('a.txt'), 'r+');
      const value = await called((done) => fs.fsync(fd, done));
      fs.closeSync(fd);
      return value;
    },
    fdatasyncSync(at) {
      const fd = fs.openSync(at('a.txt'), 'r+');
      const value = fs.fdatasyncSync(fd);
      fs.closeSync(fd);
      return value;
    },
    async fdatasync(at) {
      const fd = fs.openSync(at('a.txt'), 'r+');
      const value = await called((done) => fs.fdatasync(fd, done));
      fs.closeSync(fd);
      return value;
    },
    ftruncateSync(at) {
      const fd = fs.openSync(at('a.txt'), 'r+');
      fs.ftruncateSync(fd, 2);
      fs.closeSync(fd);
      return fs.readFileSync(at('a.txt'), 'utf8');
    },
    async ftruncate(at) {
      const fd = fs.openSync(at('a.txt'), 'r+');
      await called((done) => fs.ftruncate(fd, 2, done));
      fs.closeSync(fd);
      return fs.readFileSync(at('a.txt'), 'utf8');
    },
    futimesSync(at) {
      const fd = fs.openSync(at('a.txt'), 'r+');
      fs.futimesSync(fd, 1000, 2000);
      fs.closeSync(fd);
      return fs.statSync(at('a.txt')).mtimeMs;
    },
    async futimes(at) {
      const fd = fs.openSync(at('a.txt'), 'r+');
      await called((done) => fs.futimes(fd, 1000, 2000, done));
      fs.closeSync(fd);
      return fs.statSync(at('a.txt')).mtimeMs;
    },
    linkSync(at) {
      fs.linkSync(at('a.txt'), at('l'));
      return [fs.readFileSync(at('l'), 'utf8'), fs.statSync(at('l')).nlink];
    },
    async link(at) {
      await called((done) => fs.link(at('a.txt'), at('l'), done));
      return fs.statSync(at('l')).nlink;
    },
    symlinkSync(at) {
      fs.symlinkSync('a.txt', at('s'));
      return [fs.readFileSync(at('s'), 'utf8'), kinds(fs.lstatSync(at('s'))), kinds(fs.statSync(at('s')))];
    },
    async symlink(at) {
      await called((done) => fs.symlink('a.txt', at('s'), done));
      return fs.readlinkSync(at('s'));
    },
    readlinkSync(at) {
      fs.symlinkSync('nowhere', at('s'));
      return [fs.readlinkSync(at('s')), thrown(() => fs.readlinkSync(at('a.txt')))[1]];
    },
    async readlink(at) {
      fs.symlinkSync('nowhere', at('s'));
      return called((done) => fs.readlink(at('s'), done));
    },
    lstatSync: (at) => [about(fs.lstatSync(at('a.txt'))), fs.lstatSync(at('none'), { throwIfNoEntry: false })],
    lstat: async (at) => about(await called((done) => fs.lstat(at('a.txt'), done))),
    lutimesSync(at) {
      fs.symlinkSync('a.txt', at('s'));
      fs.lutimesSync(at('s'), 1000, 2000);
      return fs.lstatSync(at('s')).mtimeMs;
    },
    async lutimes(at) {
      fs.symlinkSync('a.txt', at('s'));
      await called((done) => fs.lutimes(at('s'), 1000, 2000, done));
      return fs.lstatSync(at('s')).mtimeMs;
    },
    mkdirSync(at, folder) {
      const made = fs.mkdirSync(at('x/y/z'), { recursive: true });
      return [path.relative(folder, made), fs.mkdirSync(at('plain')), fs.mkdirSync(at('x'), { recursive: true }), thrown(() => fs.mkdirSync(at('sub')))];
    },
    async mkdir(at, folder) {
      return path.relative(folder, await called((done) => fs.mkdir(at('x/y/z'), { recursive: true }, done)));
    },
    mkdtempSync(at, folder) {
      const made = fs.mkdtempSync(at('t-'));
      return [path.relative(folder, made).length, fs.statSync(made).isDirectory()];
    },
    async mkdtemp(at, folder) {
      return path.relative(folder, await called((done) => fs.mkdtemp(at('t-'), done))).length;
    },
    opendirSync(at) {
      const folder = fs.opendirSync(at('sub'));
      const entry = folder.readSync();
      const last = folder.readSync();
      folder.closeSync();
      return [folder.path === at('sub'), entry.name, entry.isFile(), last];
    },
    async opendir(at) {
      const folder = await called((done) => fs.opendir(at('sub'), done));
      const names = [];
      for await (const entry of folder) names.push(entry.name);
      return names;
    },
    openAsBlob: async (at) => (await fs.openAsBlob(at('a.txt'))).text(),
    readdirSync: (at) => [
      sorted(fs.readdirSync(at('.'))),
      sorted(fs.readdirSync(at('.'), { withFileTypes: true })).map((entry) => [entry.name, entry.isFile(), entry.isDirectory(), entry.isSymbolicLink(), entry.constructor.name, entry.parentPath === at('.')]),
      sorted(fs.readdirSync(at('.'), { recursive: true })),
      fs.readdirSync(at('sub'), { encoding: 'buffer' }),
      thrown(() => fs.readdirSync(at('none'))),
      thrown(() => fs.readdirSync(at('a.txt')))[1],
    ],
    readdir: async (at) => [sorted(await called((done) => fs.readdir(at('.'), done))), sorted(await called((done) => fs.readdir(at('.'), { withFileTypes: true }, done))).map((entry) => entry.name)],
    readFileSync: (at) => [
      fs.readFileSync(at('a.txt')),
      Buffer.isBuffer(fs.readFileSync(at('a.txt'))),
      fs.readFileSync(at('a.txt'), 'utf8'),
      fs.readFileSync(at('a.txt'), 'utf-8'),
      fs.readFileSync(at('a.txt'), { encoding: 'base64' }),
      fs.readFileSync(at('a.txt'), { encoding: 'latin1', flag: 'r' }),
      fs.readFileSync(new URL(`file://${at('a.txt')}`), 'hex'),
      fs.readFileSync(Buffer.from(at('a.txt')), 'utf8'),
      thrown(() => fs.readFileSync(at('none'))),
      thrown(() => fs.readFileSync(at('sub'))),
      thrown(() => fs.readFileSync(null)).slice(0, 2),
    ],
    'readFileSync: a descriptor'(at) {
      const fd = fs.openSync(at('a.txt'), 'r');
      const text = fs.readFileSync(fd, 'utf8');
      fs.closeSync(fd);
      return text;
    },
    'readFileSync: a file in /proc': () => fs.readFileSync('/proc/self/comm', 'utf8').length > 1,
    readFile: async (at) => [
      await called((done) => fs.readFile(at('a.txt'), done)),
      await called((done) => fs.readFile(at('a.txt'), 'utf8', done)),
      await called((done) => fs.readFile(at('none'), done)).catch((error) => [error.code, error.syscall, error.path === at('none')]),
      await called((done) => fs.readFile(at('a.txt'), { signal: AbortSignal.abort() }, done)).catch((error) => [error.name, error.code]),
    ],
    realpathSync(at) {
      fs.symlinkSync('sub', at('s'));
      return [fs.realpathSync(at('s/b.txt')) === at('sub/b.txt'), fs.realpathSync.native(at('s/b.txt')) === at('sub/b.txt'), thrown(() => fs.realpathSync(at('none')))[1]];
    },
    async realpath(at) {
      fs.symlinkSync('sub', at('s'));
      return [(await called((done) => fs.realpath(at('s'), done))) === at('sub'), (await called((done) => fs.realpath.native(at('s'), done))) === at('sub')];
    },
    renameSync(at) {
      fs.renameSync(at('a.txt'), at('z.txt'));
      return [sorted(fs.readdirSync(at('.'))), thrown(() => fs.renameSync(at('none'), at('x')))[1]];
    },
    async rename(at) {
      await called((done) => fs.rename(at('a.txt'), at('z.txt'), done));
      return sorted(fs.readdirSync(at('.')));
    },
    rmSync(at) {
      const refused = thrown(() => fs.rmSync(at('sub')))[1];
      fs.rmSync(at('sub'), { recursive: true });
      fs.rmSync(at('none'), { force: true });
      return [refused, fs.readdirSync(at('.')), thrown(() => fs.rmSync(at('none')))[1]];
    },
    async rm(at) {
      await called((done) => fs.rm(at('sub'), { recursive: true }, done));
      return fs.readdirSync(at('.'));
    },
    rmdirSync(at) {
      const refused = thrown(() => fs.rmdirSync(at('sub')))[1];
      fs.unlinkSync(at('sub/b.txt'));
      fs.rmdirSync(at('sub'));
      return [refused, fs.readdirSync(at('.'))];
    },
    async rmdir(at) {
      fs.unlinkSync(at('sub/b.txt'));
      await called((done) => fs.rmdir(at('sub'), done));
      return fs.readdirSync(at('.'));
    },
    statSync: (at) => [
      about(fs.statSync(at('a.txt'))),
      kinds(fs.statSync(at('sub'))),
      typeof fs.statSync(at('a.txt'), { bigint: true }).size,
      fs.statSync(at('none'), { throwIfNoEntry: false }),
      thrown(() => fs.statSync(at('none'))),
      kinds(fs.statSync('/dev/null')),
    ],
    stat: async (at) => [about(await called((done) => fs.stat(at('a.txt'), done))), await called((done) => fs.stat(at('none'), done)).catch((error) => error.code)],
    statfsSync: (at) => Object.entries(fs.statfsSync(at('.'))).map(([name, value]) => [name, typeof value]),
    statfs: async (at) => typeof (await called((done) => fs.statfs(at('.'), done))).bsize,
    truncateSync(at) {
      fs.truncateSync(at('a.txt'), 3);
      return fs.readFileSync(at('a.txt'), 'utf8');
    },
    async truncate(at) {
      await called((done) => fs.truncate(at('a.txt'), 3, done));
      return fs.readFileSync(at('a.txt'), 'utf8');
    },
    unlinkSync(at) {
      fs.unlinkSync(at('a.txt'));
      return [fs.existsSync(at('a.txt')), thrown(() => fs.unlinkSync(at('none')))[1]];
    },
    async unlink(at) {
      await called((done) => fs.unlink(at('a.txt'), done));
      return fs.existsSync(at('a.txt'));
    },
    utimesSync(at) {
      fs.utimesSync(at('a.txt'), new Date(1000000), new Date(2000000));
      return [fs.statSync(at('a.txt')).atimeMs, fs.statSync(at('a.txt')).mtimeMs];
    },
    async utimes(at) {
      await called((done) => fs.utimes(at('a.txt'), 1000, 2000, done));
      return fs.statSync(at('a.txt')).mtimeMs;
    },
    watch: (at, folder) => watched((told) => fs.watch(folder, told), () => fs.writeFileSync(at('a.txt'), String(Math.random()))),
    watchFile: (at) => new Promise((resolve) => {
      const told = (now, before) => {
        fs.unwatchFile(at('a.txt'), told);
        resolve([now.size, before.size]);
      };
      fs.watchFile(at('a.txt'), { interval: 20 }, told);
      setTimeout(() => fs.writeFileSync(at('a.txt'), 'longer than before'), 100);
    }),
    unwatchFile(at) {
      fs.watchFile(at('a.txt'), () => {});
      return fs.unwatchFile(at('a.txt'));
    },
    writeFileSync(at) {
      fs.writeFileSync(at('w'), 'text');
      fs.writeFileSync(at('m'), 'secret', { mode: 0o600 });
      fs.writeFileSync(at('w'), Buffer.from(' more'), { flag: 'a' });
      fs.writeFileSync(at('h'), '616263', 'hex');
      return [
        fs.readFileSync(at('w'), 'utf8'),
        (fs.statSync(at('m')).mode & 0o777).toString(8),
        fs.readFileSync(at('h'), 'utf8'),
        thrown(() => fs.writeFileSync(at('none/x'), ''))[1],
        thrown(() => fs.writeFileSync(at('w'), '', { flag: 'wx' }))[1],
        thrown(() => fs.writeFileSync(at('w'), {}))[1],
      ];
    },
    async writeFile(at) {
      await called((done) => fs.writeFile(at('w'), 'text', done));
      await called((done) => fs.writeFile(at('v'), new Uint8Array([65, 66]), { flag: 'w' }, done));
      return [fs.readFileSync(at('w'), 'utf8'), fs.readFileSync(at('v'), 'utf8')];
    },
    promises: () => fs.promises === promises,
    Stats: (at) => fs.statSync(at('a.txt')) instanceof fs.Stats,
    Dirent: (at) => fs.readdirSync(at('.'), { withFileTypes: true })[0] instanceof fs.Dirent,
    Dir(at) {
      const folder = fs.opendirSync(at('.'));
      folder.closeSync();
      return folder instanceof fs.Dir;
    },
    ReadStream: (at) => collected(new fs.ReadStream(at('a.txt'))),
    async WriteStream(at) {
      const stream = new fs.WriteStream(at('w'));
      await new Promise((resolve) => stream.end('x', resolve));
      return fs.readFileSync(at('w'), 'utf8');
    },
  }),
  'fs/promises': inFolders({
    access: async (at) => [await promises.access(at('a.txt')), await promises.access(at('none')).catch((error) => [error.code, error.syscall])],
    async appendFile(at) {
      await promises.appendFile(at('a.txt'), '!');
      return promises.readFile(at('a.txt'), 'utf8');
    },
    async chmod(at) {
      await promises.chmod(at('a.txt'), 0o600);
      return ((await promises.stat(at('a.txt'))).mode & 0o777).toString(8);
    },
    chown: (at) => promises.chown(at('a.txt'), process.getuid(), process.getgid()),
    lchown: (at) => promises.lchown(at('a.txt'), process.getuid(), process.getgid()),
    constants: () => promises.constants.R_OK,
    async copyFile(at) {
      await promises.copyFile(at('a.txt'), at('c'));
      return promises.readFile(at('c'), 'utf8');
    },
    async cp(at) {
      await promises.cp(at('sub'), at('copy'), { recursive: true });
      return promises.readFile(at('copy/b.txt'), 'utf8');
    },
    async link(at) {
      await promises.link(at('a.txt'), at('l'));
      return (await promises.stat(at('l'))).nlink;
    },
    lstat: async (at) => about(await promises.lstat(at('a.txt'))),
    async lutimes(at) {
      await promises.symlink('a.txt', at('s'));
      await promises.lutimes(at('s'), 1000, 2000);
      return (await promises.lstat(at('s'))).mtimeMs;
    },
    async mkdir(at, folder) {
      return [path.relative(folder, await promises.mkdir(at('x/y'), { recursive: true })), await promises.mkdir(at('sub')).catch((error) => error.code)];
    },
    mkdtemp: async (at, folder) => path.relative(folder, await promises.mkdtemp(at('t-'))).length,
    async open(at) {
      const file = await promises.open(at('o'), 'w+');
      const { bytesWritten } = await file.write('hello\nworld\n');
      await file.appendFile('more');
      const { bytesRead, buffer } = await file.read(Buffer.alloc(5), 0, 5, 0);
      const { size } = await file.stat();
      await file.truncate(11);
      await file.sync();
      await file.datasync();
      await file.utimes(1000, 2000);
      await file.chmod(0o600);
      await file.close();
      const again = await promises.open(at('o'));
      const lines = [];
      for await (const line of again.readLines()) lines.push(line);
      return [typeof file.fd, bytesWritten, bytesRead, buffer.toString(), size, lines];
    },
    async 'open: readFile and writeFile of the handle'(at) {
      const file = await promises.open(at('a.txt'), 'r+');
      const before = await file.readFile('utf8');
      await file.writeFile(' and more');
      await file.close();
      return [before, await promises.readFile(at('a.txt'), 'utf8')];
    },
    async 'open: a stream of the handle'(at) {
      const file = await promises.open(at('a.txt'));
      return collected(file.createReadStream());
    },
    async opendir(at) {
      const names = [];
      for await (const entry of await promises.opendir(at('.'))) names.push(entry.name);
      return sorted(names);
    },
    readdir: async (at) => [
      sorted(await promises.readdir(at('.'))),
      sorted(await promises.readdir(at('.'), { withFileTypes: true })).map((entry) => [entry.name, entry.isDirectory()]),
      sorted(await promises.readdir(at('.'), { recursive: true })),
      await promises.readdir(at('none')).catch((error) => [error.code, error.syscall]),
    ],
    readFile: async (at) => [
      await promises.readFile(at('a.txt')),
      await promises.readFile(at('a.txt'), 'utf8'),
      await promises.readFile(at('a.txt'), { encoding: 'base64' }),
      await promises.readFile(at('none')).catch((error) => [error.code, error.syscall, error.path === at('none')]),
      await promises.readFile(at('a.txt'), { signal: AbortSignal.abort() }).catch((error) => [error.name, error.code]),
    ],
    async readlink(at) {
      await promises.symlink('nowhere', at('s'));
      return promises.readlink(at('s'));
    },
    async realpath(at) {
      await promises.symlink('sub', at('s'));
      return (await promises.realpath(at('s'))) === at('sub');
    },
    async rename(at) {
      await promises.rename(at('a.txt'), at('z'));
      return sorted(await promises.readdir(at('.')));
    },
    async rm(at) {
      await promises.rm(at('sub'), { recursive: true });
      return promises.readdir(at('.'));
    },
    async rmdir(at) {
      return promises.rmdir(at('sub')).catch((error) => error.code);
    },
    stat: async (at) => [about(await promises.stat(at('a.txt'))), await promises.stat(at('none')).catch((error) => error.code)],
    statfs: async (at) => typeof (await promises.statfs(at('.'))).blocks,
    async symlink(at) {
      await promises.symlink('a.txt', at('s'));
      return promises.readFile(at('s'), 'utf8');
    },
    async truncate(at) {
      await promises.truncate(at('a.txt'), 2);
      return promises.readFile(at('a.txt'), 'utf8');
    },
    async unlink(at) {
      await promises.unlink(at('a.txt'));
      return promises.readdir(at('.'));
    },
    async utimes(at) {
      await promises.utimes(at('a.txt'), 1000, 2000);
      return (await promises.stat(at('a.txt'))).mtimeMs;
    },
    async watch(at, folder) {
      const stop = new AbortController();
      const timer = setInterval(() => fs.writeFileSync(at('a.txt'), String(Math.random())), 50);
      try {
        for await (const { eventType, filename } of promises.watch(folder, { signal: stop.signal })) return [typeof eventType, filename];
      } finally {
        clearInterval(timer);
        stop.abort();
      }
    },
    async writeFile(at) {
      await promises.writeFile(at('w'), 'text', { mode: 0o600 });
      await promises.writeFile(at('i'), ['a', 'b', 'c']);
      return [await promises.readFile(at('w'), 'utf8'), await promises.readFile(at('i'), 'utf8')];
    },
  }),
};
