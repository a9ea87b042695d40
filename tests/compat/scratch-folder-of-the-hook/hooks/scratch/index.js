const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawnSync } = require('child_process');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scratch-'));
const at = (name) => path.join(folder, name);

function code(action) {
  try {
    action();
    return 'none';
  } catch (error) {
    return `${error.code} ${error.errno < 0}`;
  }
}

const tools = {
  run_script({ script }) {
    fs.writeFileSync(at('run.sh'), `#!/bin/sh\n${script}\n`, { mode: 0o644 });
    const before = (fs.statSync(at('run.sh')).mode & 0o111) === 0;
    fs.chmodSync(at('run.sh'), 0o755);
    const { status, stdout } = spawnSync(at('run.sh'), ['there'], { encoding: 'utf8' });
    return `${before} ${status} ${stdout.trim()}`;
  },
  links() {
    fs.symlinkSync('run.sh', at('soft'));
    fs.linkSync(at('run.sh'), at('hard'));
    fs.copyFileSync(at('run.sh'), at('copy'));
    fs.truncateSync(at('copy'), 4);
    fs.utimesSync(at('copy'), 1000, 2000);
    const { nlink, size } = fs.statSync(at('hard'));
    const same = fs.statSync(at('hard')).ino === fs.statSync(at('run.sh')).ino;
    const stats = fs.statSync(at('copy'), { bigint: true });
    return [fs.readlinkSync(at('soft')), nlink, size > 10, same, stats.size, stats.mtimeMs, fs.lstatSync(at('soft')).isSymbolicLink()].join(' ');
  },
  errors() {
    return [
      code(() => fs.writeFileSync(at('copy'), '', { flag: 'wx' })),
      code(() => fs.readFileSync(folder)),
      code(() => fs.mkdirSync(folder)),
      code(() => fs.readdirSync(at('copy'))),
      code(() => fs.rmSync(folder)),
      code(() => fs.accessSync(at('none'))),
      code(() => fs.readFileSync(undefined)),
    ].join(', ');
  },
  clean() {
    fs.rmSync(folder, { recursive: true });
    return `${fs.existsSync(folder)} ${fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith('scratch-')).length}`;
  },
};

exports.createHook = () => ({
  run: (point, { toolName, args }) => ({ action: 'block', reason: tools[toolName](args) }),
});
