import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from './yaml.mjs';

function matches(rule, payload) {
  if (rule.tool !== payload.toolName) return false;
  const host = rule.when?.host;
  if (!host) return true;
  const { hostname } = new URL(payload.args.url);
  return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host;
}

export function createHook({ file }) {
  const policy = parse(readFileSync(join(process.cwd(), file), 'utf8'));
  if (policy.version !== 2) throw new Error(`${file}: version ${policy.version} is not supported`);

  return {
    run(_point, payload) {
      const rule = policy.rules.find((candidate) => matches(candidate, payload));
      const action = rule?.action ?? policy.default;
      const note = `${rule?.reason ?? 'policy'} [${policy.tags.join('/')}]`;
      return action === 'allow' ? { action } : { action, reason: note };
    },
  };
}
