const fs = require('fs');
const os = require('os');
const path = require('path');

const open = new Set();
const warnings = [];
const file = path.join(os.tmpdir(), 'cleanup.log');

function cleanUp() {
  for (const name of open) fs.appendFileSync(file, `${name}\n`);
  open.clear();
}

process.on('exit', cleanUp);
process.on('beforeExit', cleanUp);
process.on('warning', (warning) => warnings.push(`${warning.name} ${warning.code}: ${warning.message}`));
const ignored = () => {};
process.on('cleanup', cleanUp);
process.on('ignored', ignored);
process.off('ignored', ignored);

exports.createHook = () => ({
  async run(point, { toolName }) {
    open.add(toolName);
    if (toolName === 'warn') {
      process.emitWarning('old option', 'DeprecationWarning', 'HOOK001');
      process.emitWarning('something', { type: 'HookWarning', code: 'HOOK002' });
      return { action: 'allow' };
    }
    if (toolName !== 'state') return { action: 'allow' };
    await new Promise((resolve) => setImmediate(resolve));
    const counts = ['exit', 'cleanup', 'beforeExit', 'ignored'].map(
      (event) => process.listeners(event).filter((listener) => listener === cleanUp || listener === ignored).length,
    );
    const heard = process.emit('cleanup');
    const own = process.listeners('exit').includes(cleanUp);
    return { action: 'block', reason: `${counts}; ${heard}; ${own}; ${warnings.join(', ')}; ${fs.readFileSync(file, 'utf8').trim().split('\n')}` };
  },
});
