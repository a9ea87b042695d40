const { posix } = require('path');

const { Minimatch, minimatch } = require('minimatch');

module.exports = function createHook({ deny, ask }) {
  const denied = deny.map((glob) => new Minimatch(glob, { dot: true, nocase: true }));
  return (point, { args }) => {
    const path = posix.normalize(args.path);
    const glob = denied.find((one) => one.match(path));
    if (glob !== undefined) return { action: 'block', reason: `${path} is kept by ${glob.pattern}` };
    const asked = ask.find((one) => minimatch(path, one));
    if (asked !== undefined) return { action: 'ask', reason: `${path} is one of ${asked}: go on?` };
    return { action: 'allow' };
  };
};
