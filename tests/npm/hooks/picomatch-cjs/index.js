const picomatch = require('picomatch');
const posix = require('picomatch/posix');

module.exports = ({ tools, hosts }) => {
  const allowed = picomatch(tools.filter((glob) => !glob.startsWith('!')), {
    ignore: tools.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1)),
  });
  const hostRules = hosts.map((glob) => posix.makeRe(glob, { dot: true }));
  return {
    run(point, { toolName, args }) {
      if (!allowed(toolName)) return { action: 'block', reason: `${toolName} is not on the list` };
      if (args.url === undefined) return { action: 'allow' };
      const { hostname } = new URL(args.url);
      if (hostRules.some((rule) => rule.test(hostname))) return { action: 'allow' };
      return { action: 'ask', reason: `${hostname} is new (known: ${hosts.map((glob) => picomatch.scan(glob).base || '*')})` };
    },
  };
};
