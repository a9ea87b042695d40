import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';

const [pem, signature] = await Promise.all([readFile('policy.pub', 'utf8'), readFile('policy.sig', 'utf8')]);
const key = createPublicKey(pem);

async function load(file) {
  const bytes = await readFile(file);
  if (!verify(null, bytes, key, Buffer.from(signature, 'base64'))) throw new Error(`${file} has no valid signature`);
  return JSON.parse(bytes);
}

function selfTest() {
  const pair = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const data = Buffer.from('data');
  const made = sign('sha256', data, pair.privateKey);
  return verify('sha256', data, pair.publicKey, made) && !verify('sha256', Buffer.from('date'), pair.publicKey, made);
}

export async function createHook() {
  let policy = await load('policy.json');
  const rsa = selfTest();

  return {
    async run(_point, { toolName, args }) {
      if (toolName === 'reload') {
        policy = await load(args.file);
        return { action: 'allow' };
      }
      if (!policy.blocked.includes(toolName)) return { action: 'allow' };
      const id = createHash('md5').update(JSON.stringify(policy)).digest('hex');
      return { action: 'block', reason: `by signed policy ${id} (${key.asymmetricKeyType}, ${rsa})` };
    },
  };
}
