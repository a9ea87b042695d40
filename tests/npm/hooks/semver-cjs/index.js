const semver = require('semver');
const { prerelease, satisfies, valid } = semver;
const minVersion = require('semver/ranges/min-version');

module.exports.createHook = ({ refused }) => function run(point, { args }) {
  for (const [name, wanted] of Object.entries(args.packages)) {
    const range = semver.validRange(wanted);
    if (range === null) return { action: 'block', reason: `${name}: ${wanted} is no version` };
    const bad = refused[name];
    if (bad !== undefined && (valid(wanted) ? satisfies(wanted, bad) : semver.intersects(range, bad))) {
      return { action: 'block', reason: `${name}@${wanted} may be one of ${bad}` };
    }
    const least = minVersion(range);
    if (prerelease(least) !== null) return { action: 'ask', reason: `${name}@${least} is not released yet: go on?` };
  }
  return { action: 'allow' };
};
