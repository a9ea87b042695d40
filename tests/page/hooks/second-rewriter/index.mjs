export default {
  run: (point, { args }) => ({ action: 'modify', payload: { args: { ...args, command: args.command?.replace('-ir', '-irv') } } }),
};
