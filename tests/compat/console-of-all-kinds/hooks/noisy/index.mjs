import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { isatty } from 'node:tty';

console.log('noisy is loaded');

function collect() {
  let text = '';
  const stream = new Writable({ write: (chunk, _, done) => ((text += chunk), done()) });
  return { stream, text: () => text };
}

const tools = {
  noise({ rows }) {
    console.log('plain %s %d', 'text', 3);
    console.info({ rows });
    console.warn('careful');
    console.error(new Error('not thrown'));
    console.table(rows, ['a']);
    console.dir(rows, { depth: 0 });
    console.group('group');
    console.debug('inside');
    console.groupEnd();
    console.time('t');
    console.timeEnd('t');
    console.count();
    console.countReset();
    console.assert(rows.length > 5, 'few rows');
    console.trace('here');
    process.stdout.write('without a line end');
    process.stderr.write(Buffer.from('bytes\n'));
    return true;
  },
  own() {
    const [out, err] = [collect(), collect()];
    const logger = new Console({ stdout: out.stream, stderr: err.stream, colorMode: false });
    logger.log('a %o', [1]);
    logger.group();
    logger.table([['x', 1]]);
    logger.groupEnd();
    logger.error('to stderr');
    logger.count('n');
    return `${out.text()}|${err.text()}`;
  },
  patched() {
    const lines = [];
    const original = console.log;
    console.log = (...args) => lines.push(args.join(' '));
    try {
      console.log('caught', 1);
    } finally {
      console.log = original;
    }
    const { log } = console;
    log('unbound');
    return lines.join();
  },
  isatty: () => [isatty(1), Boolean(process.stdout.isTTY), typeof process.stdout.fd, process.stdout.writable, process.stdin.fd].join(' '),
};

export const createHook = () => ({
  async run(point, { toolName, args }) {
    const told = tools[toolName](args);
    return told === true ? { action: 'allow' } : { action: 'block', reason: told };
  },
});
