import { format, formatWithOptions, inspect, styleText, stripVTControlCharacters } from 'node:util';

class Money {
  constructor(amount) {
    this.amount = amount;
  }

  [inspect.custom](depth, options) {
    return depth < 0 ? '[Money]' : `Money<${inspect(this.amount, options)}>`;
  }
}

class Account {
  #secret = 1;
  owner = 'Ada';
  balance = new Money(3);
  static x = 1;
  get open() {
    return this.#secret === 1;
  }
}

const views = {
  nested: ({ args }) => inspect(args) + ' / ' + inspect(args, { depth: null, compact: true, breakLength: Infinity }),
  kinds() {
    const circle = { name: 'circle', big: 1n };
    circle.self = circle;
    const values = [new Map([['k', { v: 1 }]]), new Set(['a']), new Account(), Account, function named() {}, () => {}, null, undefined, -0, 'it\'s', /x/g, new Date(0), new Error('x').message, Object.create(null), [, 1], circle];
    return inspect(values, { breakLength: 100, depth: 3 });
  },
  format: ({ args: { n, s, o } }) =>
    [
      format('%s %d %i %f %j %o %O %% %c|', s, n, n, '1.5', o, [1], o, 'css', 'extra', { more: true }),
      format(o, 1, 'two'),
      formatWithOptions({ compact: 3 }, '%s', new Money(2)),
      stripVTControlCharacters(styleText?.('red', 'red') ?? 'red'),
    ].join(' ~ '),
  long: ({ args }) => inspect(args.values, { maxArrayLength: 12 }) + inspect('x'.repeat(30), { maxStringLength: 5 }) + inspect(args, { sorted: true }),
};

export const createHook = () => ({
  run: (point, payload) => ({ action: 'block', reason: views[payload.toolName](payload) }),
});
