import { parseArgs } from 'node:util';

const options = {
  region: { type: 'string', short: 'r', default: 'eu' },
  force: { type: 'boolean', default: false },
  tag: { type: 'string', multiple: true },
  verbose: { type: 'boolean', short: 'v' },
};

export default {
  run(point, payload) {
    let parsed;
    try {
      parsed = parseArgs({ args: payload.args.argv, options, allowPositionals: true, tokens: true });
    } catch (error) {
      return { action: 'block', reason: `${error.name} ${error.code}` };
    }
    const { values, positionals, tokens } = parsed;
    if (values.force) return { action: 'ask', reason: `Force in ${values.region} with ${values.tag?.join('+')}?` };
    const argv = tokens.filter(({ kind }) => kind === 'option').map(({ name }) => `--${name}`);
    return { action: 'modify', payload: { args: { argv: payload.args.argv, known: { ...values }, argv0: argv, positionals } } };
  },
};
