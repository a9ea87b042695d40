import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';

const WIDTH = 12;

async function open(file) {
  try {
    return await fs.open(file, 'r+');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return fs.open(file, 'w+');
  }
}

export async function createHook({ limit }) {
  const folder = await fs.mkdtemp(join(tmpdir(), 'cost-'));
  const file = join(folder, 'total');
  let queue = Promise.resolve();

  /** One after the other: each reads what the one before wrote. */
  function add(cost) {
    const next = queue.then(async () => {
      const handle = await open(file);
      try {
        const buffer = Buffer.alloc(WIDTH);
        const { bytesRead } = await handle.read(buffer, 0, WIDTH, 0);
        const total = Number(buffer.toString('ascii', 0, bytesRead) || 0) + cost;
        await handle.truncate(0);
        await handle.write(String(total).padStart(WIDTH), 0);
        return { total, size: (await handle.stat()).size };
      } finally {
        await handle.close();
      }
    });
    queue = next.catch(() => {});
    return next;
  }

  return {
    async run(point, payload, ctx) {
      if (point === 'postTurn') {
        const half = payload.usage.cost / 2;
        const [first, second] = await Promise.all([add(half), add(half)]);
        ctx.log(first, second);
        return { action: 'allow' };
      }
      const { total, size } = await add(0);
      const files = await fs.readdir(folder);
      return total > limit
        ? { action: 'block', reason: `${total} of ${limit} is spent (${size} bytes in ${files.join()})` }
        : { action: 'ask', reason: `${total} spent so far` };
    },
  };
}
