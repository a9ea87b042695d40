import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

class Ledger {
  constructor(folder) {
    this.folder = folder;
    this.file = join(folder, 'budget.json');
  }

  read() {
    return existsSync(this.file) ? JSON.parse(readFileSync(this.file, 'utf8')) : { spent: 0, calls: 0 };
  }

  write(state) {
    const temporary = `${this.file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
    try {
      writeFileSync(temporary, JSON.stringify(state, null, 2), { flag: 'wx' });
      renameSync(temporary, this.file);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }
}

export function createHook({ limit, prices }) {
  const ledger = new Ledger(join(process.cwd(), '.state'));

  return {
    run(_point, { toolName }) {
      const state = ledger.read();
      if (toolName === 'status') {
        return { action: 'block', reason: `${state.spent} in ${state.calls} calls; files: ${readdirSync('.state').join(' ')}` };
      }
      const spent = state.spent + (prices[toolName] ?? 0);
      if (spent > limit) return { action: 'ask', reason: `That makes ${spent}, the budget is ${limit}.` };
      ledger.write({ spent, calls: state.calls + 1 });
      return { action: 'allow' };
    },
  };
}
