const { isBlank } = require('./util');

const sameThis = this === module.exports && this === exports;

exports.COMMAND = /^\/[a-z]+/;

exports.check = function check(text, allowed) {
  const found = exports.COMMAND.exec(text);
  return !found || allowed.includes(found[0]) ? null : found[0];
};

exports.createHook = function createHook(config) {
  return {
    commands: config.commands,
    run(point, { text }) {
      if (isBlank(text)) return { action: 'block', reason: `nothing to say (${sameThis}, ${require.main === module})` };
      const unknown = exports.check(text, this.commands);
      return unknown ? { action: 'block', reason: `unknown command ${unknown}` } : { action: 'allow' };
    },
  };
};
