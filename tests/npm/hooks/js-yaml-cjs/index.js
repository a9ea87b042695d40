const fs = require('fs');
const path = require('node:path');

const yaml = require('js-yaml');

const regex = yaml.defineScalarTag('!regex', {
  identify: (value) => value instanceof RegExp,
  resolve: (source) => new RegExp(source),
});
const text = fs.readFileSync(path.join(__dirname, 'policy.yaml'), 'utf8');
const { rules } = yaml.load(text, { filename: 'policy.yaml', schema: yaml.CORE_SCHEMA.withTags(regex, yaml.mergeTag) });

module.exports = {
  run(point, { toolName, args }) {
    if (toolName === 'set_policy') return check(args.text);
    const rule = rules.find(({ tool, pattern, days }) =>
      tool === toolName && (pattern?.test(args.command) ?? true) && (days?.includes(args.day) ?? true)
    );
    return rule === undefined ? { action: 'allow' } : { action: rule.action, reason: rule.reason.trimEnd() };
  },
};

function check(text) {
  try {
    yaml.load(text);
    return { action: 'allow' };
  } catch (error) {
    if (!(error instanceof yaml.YAMLException)) throw error;
    return { action: 'block', reason: `no YAML: ${error.reason} (line ${error.mark.line + 1})` };
  }
}
