import { readFileSync, type PathLike } from 'node:fs';
import * as path from 'node:path';

function assertString(value: unknown, name: string): asserts value is string {
  if (typeof value !== 'string') throw new TypeError(`${name} must be a string`);
}

const isErrnoException = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error;

function read(file: PathLike): Buffer {
  return readFileSync(file);
}

interface Payload {
  toolName: string;
  args: { path?: unknown };
}

export const createHook = () => ({
  run(point: 'preToolUse', payload: Payload) {
    const asked = payload.args.path;
    assertString(asked, 'path');
    try {
      const content: Buffer = read(path.resolve(process.cwd(), asked));
      const title = /^#\s+(?<title>.+)$/m.exec(content.toString('utf8'))?.groups?.['title'];
      return { action: 'modify', payload: { args: { path: asked, bytes: content.byteLength, title } } } as const;
    } catch (error: unknown) {
      if (!isErrnoException(error)) throw error;
      return { action: 'block', reason: `${asked}: ${error.code}` } as const;
    }
  },
});
