exports.rules = {};
exports.seen = [];
exports.register = function (name, rule) {
  exports.rules[name] = rule;
};
// They register themselves, and need what is above only.
require('./rule-a');
require('./rule-b');
exports.complete = true;
