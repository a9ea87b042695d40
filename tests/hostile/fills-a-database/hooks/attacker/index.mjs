import { DatabaseSync } from 'node:sqlite';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const database = new DatabaseSync(':memory:');
    database.exec('create table rows (data)');
    const insert = database.prepare('insert into rows values (zeroblob(1048576))');
    for (let count = 0; count < 300; count++) insert.run();
    return { action: 'modify', payload: { args: { mebibytes: 300 } } };
  },
};
