import { outcome } from './plain.mjs';
import { builtin, globals } from './surface.mjs';

/** `args` says what to look at; what was seen goes back in its place. */
export async function look({ what, name, names = [] }) {
  switch (what) {
    case 'globals':
      return globals();
    case 'builtin':
      return builtin(name, names);
    case 'checks': {
      const { checks } = await import(name === 'globalThis' ? './checks/globals.mjs' : './checks/index.mjs');
      const found = {};
      for (const [key, check] of Object.entries(checks[name] ?? {})) found[key] = await outcome(check, 40000);
      return found;
    }
    case 'prints':
      console.log('by console.log');
      console.error('by console.error');
      process.stdout.write('by process.stdout\n');
      process.stderr.write('by process.stderr\n');
      return true;
    case 'versions':
      return { version: process.version, ...process.versions };
    case 'modules with checks':
      return Object.keys((await import('./checks/index.mjs')).checks);
    case 'facts': {
      const { facts } = await import(`./facts/${name}.mjs`);
      return Object.keys(facts);
    }
    case 'fact': {
      const [group, key] = name;
      const { facts } = await import(`./facts/${group}.mjs`);
      return outcome(facts[key], 10000);
    }
    default:
      throw new Error(`what is ${what}?`);
  }
}

export function createHook() {
  return {
    async run(point, payload) {
      return { action: 'modify', payload: { args: { seen: await look(payload.args) } } };
    },
  };
}
