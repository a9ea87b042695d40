import { DatabaseSync } from 'node:sqlite';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const database = new DatabaseSync(':memory:');
    database
      .prepare('with recursive n(i) as (select 1 union all select i + 1 from n limit 30000000) select count(*) from n')
      .get();
    return { action: 'allow' };
  },
};
