const path = require('path');
const registry = require('./registry');

exports.createHook = () => ({
  run(point, { toolName }) {
    if (toolName === 'c') {
      const cached = Object.keys(require.cache)
        .filter((file) => file.startsWith(__dirname + path.sep))
        .map((file) => path.basename(file))
        .sort();
      const children = module.children.map(({ id }) => path.basename(id));
      delete require.cache[require.resolve('./registry')];
      const fresh = require('./registry') !== registry;
      return { action: 'ask', reason: [registry.seen.join(', '), cached.join(' '), children, fresh, registry.complete].join('; ') };
    }
    const reason = registry.rules[toolName]();
    return reason ? { action: 'block', reason } : { action: 'allow' };
  },
});
