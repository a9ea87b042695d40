const registry = require('./registry');

registry.seen.push('a: ' + registry.complete);
registry.register('a', () => 'rule a says no');
