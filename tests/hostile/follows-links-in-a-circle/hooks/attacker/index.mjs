import fs from 'node:fs';
import path from 'node:path';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const folder = path.join(import.meta.dirname, 'circle');
    fs.mkdirSync(folder);
    fs.symlinkSync(folder, path.join(folder, 'again'));
    fs.symlinkSync('loop', path.join(folder, 'loop'));
    const codes = [
      () => fs.readFileSync(path.join(folder, 'loop')),
      () => fs.realpathSync(path.join(folder, 'loop')),
      () => fs.cpSync(folder, path.join(folder, 'copy'), { recursive: true }),
    ].map((act) => {
      try {
        act();
      } catch (error) {
        return error.code ?? error.name;
      }
    });
    fs.readdirSync(folder, { recursive: true });
    fs.rmSync(folder, { recursive: true });
    return { action: 'modify', payload: { args: { codes } } };
  },
};
