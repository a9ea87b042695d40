'use strict';

var path = require('path');
var rules = require('./patterns.json');

var regexes = rules.patterns.map(function (source) {
  return new RegExp(source, 'i');
});

function binaryOf(part) {
  // FOO=1 BAR=2 /usr/bin/thing --flag
  var words = part.trim().split(/\s+/).filter(function (word) {
    return !/^[A-Za-z_]+=/.test(word);
  });
  return words.length ? path.basename(words[0]) : '';
}

function check(command) {
  var parts = command.split(/&&|\|\||[;|&\n]/);
  for (var i = 0; i < parts.length; i++) {
    var name = binaryOf(parts[i]);
    if (rules.binaries.indexOf(name) !== -1) return name + ' is not for agents';
  }
  for (var j = 0; j < regexes.length; j++) {
    if (regexes[j].test(command)) return 'matches ' + rules.patterns[j];
  }
  return null;
}

module.exports = {
  createHook: function createHook() {
    return {
      run: function run(point, payload) {
        var problem = check(payload.args.command);
        return problem ? { action: 'block', reason: problem } : { action: 'allow' };
      },
    };
  },
};
