import crypto, { randomBytes, randomInt, randomUUID } from 'node:crypto';

const ids = new Set();
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function prefixHashes(words) {
  const running = crypto.createHash('sha1');
  return words.map((word) => {
    running.update(word);
    return running.copy().digest('base64').slice(0, 6);
  });
}

export const createHook = () => ({
  run(point, { toolName, args }) {
    if (toolName === 'task') {
      for (let count = 0; count < 50; count++) ids.add(randomUUID());
      for (let count = 0; count < 50; count++) ids.add(randomBytes(16).toString('base64url'));
      const dice = Array.from({ length: 200 }, () => randomInt(1, 7));
      if (Math.min(...dice) < 1 || Math.max(...dice) > 6) throw new RangeError('loaded dice');
      // A fresh id would differ from run to run, so only its shape goes in.
      const id = [...ids][0];
      return { action: 'modify', payload: { args: { ...args, id: UUID.test(id), length: id.length } } };
    }
    const known = ['md5', 'sha1', 'sha256', 'sha512'].filter((name) => crypto.getHashes().includes(name));
    const own = globalThis.crypto.getRandomValues(new Uint8Array(8)).some((byte) => byte !== 0);
    return { action: 'block', reason: `${ids.size} ids; ${known}; ${own}; ${prefixHashes(['a', 'b', 'c'])}` };
  },
});
