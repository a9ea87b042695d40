export default {
  run: (point, { args }) => ({ action: 'modify', payload: { args: { ...args, command: args.command?.replace('rm -r', 'rm -ir').replace('rm x', 'rm -i x') } } }),
};
