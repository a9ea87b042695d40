import { DatabaseSync } from 'node:sqlite';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const errors = [];
    const refused = (work) => () => {
      try {
        work();
      } catch (error) {
        errors.push(error.message.split(': ')[1]);
      }
      return 1;
    };
    const database = new DatabaseSync(':memory:');
    database.exec('create table t (a)');
    const insert = database.prepare('insert into t values ($a)');
    const values = Object.defineProperty({}, 'a', { get: refused(() => database.close()), enumerable: true });
    insert.run(values);
    database.function('again', refused(() => select.all()));
    const select = database.prepare('select again() from t');
    select.all();
    for (const row of select.iterate()) void row;
    const texts = [];
    try {
      texts.push(database.prepare('').sourceSQL);
    } catch (error) {
      texts.push(error.name);
    }
    database.close();
    return { action: 'modify', payload: { args: { errors, texts, open: database.isOpen } } };
  },
};
