import globlet from 'globlet';
import { relative, resolve } from 'node:path';

export function createHook({ block, ask }) {
  const first = (patterns, file) => patterns.find((pattern) => globlet.match(file, pattern));
  return {
    run(_point, { args }) {
      const file = relative(process.cwd(), resolve(args.file_path));
      const blocking = first(block, file);
      if (blocking) return { action: 'block', reason: `${file} is protected (${blocking}, globlet ${globlet.version})` };
      const asking = first(ask, file);
      return asking ? { action: 'ask', reason: `${file} is sensitive (${asking})` } : { action: 'allow' };
    },
  };
}
