import * as crypto from 'node:crypto';
import { promisify } from 'node:util';

const scrypt = promisify(crypto.scrypt);

function seal(key, text) {
  const iv = crypto.randomBytes(12);
  const cipher = crypto.createCipheriv('aes-256-gcm', key, iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

function open(key, box) {
  const decipher = crypto.createDecipheriv('aes-256-gcm', key, box.subarray(0, 12));
  decipher.setAuthTag(box.subarray(12, 28));
  return decipher.update(box.subarray(28), undefined, 'utf8') + decipher.final('utf8');
}

export function createHook({ salt, hash }) {
  const saltBytes = Buffer.from(salt, 'hex');
  const key = crypto.pbkdf2Sync('vault', saltBytes, 1000, 32, 'sha512');

  return {
    async run(_point, { toolName, args }) {
      if (toolName === 'unlock') {
        const derived = await scrypt(args.passphrase, saltBytes, 32, { N: 1024 });
        const again = crypto.scryptSync(args.passphrase, saltBytes, 32, { N: 1024 });
        if (!derived.equals(again)) throw new Error('scrypt is not scrypt');
        const found = derived.toString('hex').slice(0, hash.length);
        return found === hash ? { action: 'allow' } : { action: 'block', reason: `wrong passphrase (${found})` };
      }
      const box = seal(key, args.note);
      if (toolName === 'tamper') box[box.length - 1] ^= 1;
      try {
        const text = open(key, box);
        return { action: 'ask', reason: `${box.length} bytes keep: ${text} (${key.toString('hex', 0, 4)})` };
      } catch (error) {
        return { action: 'block', reason: `cannot be opened: ${error instanceof Error}` };
      }
    },
  };
}
