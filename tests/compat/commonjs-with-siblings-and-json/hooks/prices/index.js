'use strict';
const rules = require('./rules');
const money = require('./../../shared/money.js');

module.exports = {
  createHook() {
    return {
      run(point, { args }) {
        for (const rule of rules) {
          const problem = rule(args);
          if (problem) return { action: 'block', reason: `${problem} (${money.show(0)})` };
        }
        return { action: 'allow' };
      },
    };
  },
};
