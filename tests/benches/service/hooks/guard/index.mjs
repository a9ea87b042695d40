export default {
  run(point, { args }) {
    if (/git push .*--force/.test(args.command)) return { action: 'block', reason: 'Nobody rewrites history.' };
    return { action: 'allow' };
  },
};
