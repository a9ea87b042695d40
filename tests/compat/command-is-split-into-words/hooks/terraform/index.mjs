import { commands } from './tokenize.mjs';

export default {
  async run(_point, { args }, ctx) {
    let parsed;
    try {
      parsed = commands(args.command);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return { action: 'ask', reason: `Cannot read this command line (${error.message}). Run it anyway?` };
    }
    for (const [program, verb, ...rest] of parsed) {
      if (program !== 'terraform') continue;
      if (verb === 'destroy') return { action: 'block', reason: 'terraform destroy is done by hand' };
      if (verb === 'apply' && !rest.includes('-lock=true')) {
        ctx.log('adding -lock=true to', { program, verb, rest });
        return {
          action: 'modify',
          payload: { args: { ...args, command: args.command.replace('terraform apply', 'terraform apply -lock=true') } },
          note: 'state is locked',
        };
      }
    }
    return { action: 'allow' };
  },
};
