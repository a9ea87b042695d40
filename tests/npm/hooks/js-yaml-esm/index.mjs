import { readFileSync } from 'node:fs';

import { CORE_SCHEMA, defineScalarTag, load, mergeTag, YAMLException } from 'js-yaml';

const regex = defineScalarTag('!regex', {
  identify: (value) => value instanceof RegExp,
  resolve: (source) => new RegExp(source),
});
const text = readFileSync(new URL('./policy.yaml', import.meta.url), 'utf8');
const { rules } = load(text, { filename: 'policy.yaml', schema: CORE_SCHEMA.withTags(regex, mergeTag) });

export default {
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
    load(text);
    return { action: 'allow' };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return { action: 'block', reason: `no YAML: ${error.reason} (line ${error.mark.line + 1})` };
  }
}
