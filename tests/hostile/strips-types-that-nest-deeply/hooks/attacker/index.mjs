import module from 'node:module';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const nests = [
      '('.repeat(1e6),
      '['.repeat(1e5) + ']'.repeat(1e5),
      'a<'.repeat(1e5),
      '{'.repeat(1e5),
      '1' + '+1'.repeat(1e6),
      'x?'.repeat(1e4),
      '`${'.repeat(1e4),
      'let a: ' + 'A<'.repeat(2e4) + '>'.repeat(2e4),
      '-'.repeat(1e5) + '1',
      'a.'.repeat(2e5) + 'b',
    ];
    for (const nest of nests) {
      try {
        module.stripTypeScriptTypes(nest);
      } catch (error) {
        ctx.log(error.message.slice(0, 100));
      }
    }
    return { action: 'modify', payload: { args: {} } };
  },
};
