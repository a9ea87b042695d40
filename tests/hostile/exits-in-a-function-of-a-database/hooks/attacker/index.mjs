import { DatabaseSync } from 'node:sqlite';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const database = new DatabaseSync(':memory:');
    database.function('leave', () => process.exit(0));
    database.prepare('select leave()').get();
    return { action: 'allow' };
  },
};
