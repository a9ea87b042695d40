import fs from 'node:fs';
import path from 'node:path';

export function createHook({ file }) {
  const log = path.resolve(file);
  fs.mkdirSync(path.dirname(log), { recursive: true });
  let number = 0;

  const write = (entry) => fs.appendFileSync(log, JSON.stringify(entry) + '\n', { encoding: 'utf8', mode: 0o600 });

  return {
    run(point, payload, ctx) {
      if (payload.text === '#audit') {
        const lines = fs.readFileSync(log, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
        const mode = (fs.statSync(log).mode & 0o777).toString(8);
        const text = lines.map((line) => `${line.n} ${line.point} ${line.user} ${line.session} ${line.size}`).join('; ');
        return { action: 'modify', payload: { text: `${text} (${mode}, ${fs.statSync(log).size} bytes)` } };
      }
      write({
        n: ++number,
        point,
        user: ctx.caller?.userId ?? 'nobody',
        session: ctx.scopeId ?? '-',
        size: Buffer.byteLength(JSON.stringify(payload)),
      });
      return { action: 'allow' };
    },
  };
}
