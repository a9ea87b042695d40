import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const base = `http://127.0.0.1:${process.env.PORT}`;
const SOURCES = {
  http: `${base}/policy.json`,
  data: `data:application/json;base64,${Buffer.from('{ "bash": "allow" }').toString('base64')}`,
  file: pathToFileURL(join(process.cwd(), 'policy.json')).href,
  missing: `${base}/nothing.json`,
};

async function load(url) {
  let response;
  try {
    response = await fetch(url);
  } catch (error) {
    const { protocol } = new URL(url);
    if (!(error instanceof TypeError) || protocol !== 'file:') throw error;
    return { policy: JSON.parse(await readFile(fileURLToPath(url), 'utf8')), via: 'read' };
  }
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return { policy: await response.json(), via: `fetched ${response.headers.get('etag') ?? response.headers.get('content-type')}` };
}

export const createHook = () => ({
  async run(_point, { toolName, args }) {
    const { policy, via } = await load(SOURCES[args.policy]);
    const action = policy[toolName];
    return action === 'allow' ? { action } : { action, reason: `${toolName}: ${action} (${via})` };
  },
});
