import { DatabaseSync } from 'node:sqlite';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const database = new DatabaseSync(':memory:');
    for (const act of [
      () => database.exec('create table x (a)') ?? 1,
      () => database.prepare('select 1').get() && 1,
      () => { throw new Error('thrown'); },
      () => ({}),
      () => Symbol('x'),
    ]) {
      try {
        database.function('act', act);
        database.prepare('select act()').get();
      } catch (error) {
        ctx.log(error.message);
      }
    }
    return { action: 'modify', payload: { args: {} } };
  },
};
