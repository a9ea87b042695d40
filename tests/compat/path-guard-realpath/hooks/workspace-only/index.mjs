import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep, basename, join } from 'node:path';

const root = realpathSync(process.cwd());

/** Resolves links of the part of a path that exists. */
function real(target) {
  try {
    return realpathSync(target);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    const parent = dirname(target);
    return parent === target ? target : join(real(parent), basename(target));
  }
}

function isInside(target) {
  const way = relative(root, target);
  return way === '' || (!way.startsWith('..' + sep) && way !== '..' && !isAbsolute(way));
}

export function createHook() {
  return {
    run(_point, payload, ctx) {
      const asked = payload.args.path;
      let target;
      try {
        target = real(resolve(root, asked));
      } catch (error) {
        return { action: 'block', reason: `cannot resolve ${asked}: ${error.code}` };
      }
      if (isInside(target)) return { action: 'allow' };
      ctx.log('outside:', target);
      return { action: 'block', reason: `${asked} leads to ${relative(root, target)}, outside of the workspace` };
    },
  };
}
