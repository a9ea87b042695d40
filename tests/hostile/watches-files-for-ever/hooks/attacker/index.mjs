import fs from 'node:fs';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const watchers = Array.from({ length: 50 }, () => fs.watch(import.meta.dirname, { recursive: true }, () => {}));
    fs.watchFile(import.meta.filename, { interval: 10 }, () => {});
    for (let count = 0; count < 100; count++) fs.writeFileSync(`${import.meta.dirname}/x`, String(count));
    return { action: 'modify', payload: { args: { watchers: watchers.length } } };
  },
};
