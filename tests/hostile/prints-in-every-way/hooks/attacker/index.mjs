import { Console } from 'node:console';
import fs from 'node:fs';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    process.stdout.write('by write\n');
    process.stderr.write('by stderr\n');
    fs.writeSync(1, 'by descriptor 1\n');
    fs.writeSync(2, 'by descriptor 2\n');
    fs.writeFileSync(1, 'by file 1\n');
    console.log('by log');
    console.error('by error');
    console.table([{ by: 'table' }]);
    console.trace('by trace');
    new Console(process.stdout).log('by a console of its own');
    await new Promise((resolve) => fs.write(1, 'by callback\n', resolve));
    return { action: 'modify', payload: { args: {} } };
  },
};
