type Decision = { action: string; reason?: string };

interface Rule<T = string> {
  readonly name: string;
  check(value: T): Decision | undefined;
}

abstract class Counting implements Rule {
  abstract readonly name: string;
  protected over = 0;
  private readonly cache: Map<string, number> = new Map<string, number>();
  declare debug?: boolean;
  label!: string;

  constructor(protected readonly limit: number) {}

  protected abstract count(text: string): number;

  counted(text: string): number {
    const known = this.cache.get(text);
    if (known !== undefined) return known;
    const count = this.count(text);
    this.cache.set(text, count);
    return count;
  }

  check(text: string): Decision | undefined {
    const count = this.counted(text);
    if (count <= this.limit) return undefined;
    this.over++;
    return { action: 'ask', reason: `${this.name}: ${count} of ${this.limit} (${this.over} over so far)` };
  }
}

class Words extends Counting {
  override readonly name = 'words' as const;

  protected override count(text: string): number {
    return text.split(/\s+/).filter(Boolean).length;
  }
}

class Empty implements Rule {
  readonly name = 'empty';
  check = (text: string): Decision | undefined => (text === '' ? { action: 'block', reason: this.name } : undefined);
}

function first<T, R>(items: readonly T[], map: (item: T) => R | undefined): R | undefined;
function first<T>(items: readonly T[], map: (item: T) => unknown): unknown {
  for (const item of items) {
    const result = map(item);
    if (result !== undefined) return result;
  }
  return undefined;
}

export default class Hook {
  [key: string]: unknown;
  static run?: never;
  readonly rules: Rule[];

  constructor(config: { words: number }) {
    this.rules = [new Words(config.words), new Empty()];
  }

  static readonly create = (config: { words: number }): Hook => new Hook(config);

  run(_point: string, payload: { text: string }): Decision {
    return first(this.rules, (rule) => rule.check(payload.text)) ?? <Decision>{ action: 'allow' };
  }
}

export const createHook = Hook.create;
