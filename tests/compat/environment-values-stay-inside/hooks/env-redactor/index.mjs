const SENSITIVE = /(token|secret|password|passwd|credential|api_?key)/i;

function secrets() {
  return Object.keys(process.env)
    .filter((name) => SENSITIVE.test(name) && process.env[name].length >= 8)
    .sort()
    .flatMap((name) => {
      const value = process.env[name];
      return [
        [encodeURIComponent(value), `<${name}, url>`],
        [Buffer.from(value).toString('base64'), `<${name}, base64>`],
        [Buffer.from(value).toString('hex'), `<${name}, hex>`],
        [value, `<${name}>`],
      ];
    });
}

class Redactor {
  static from(pairs) {
    return new Redactor(new Map(pairs));
  }

  constructor(table) {
    this.table = table;
  }

  text(input) {
    let output = input;
    for (const [value, mark] of this.table) output = output.split(value).join(mark);
    return output;
  }
}

export default async () => ({
  run: async (_, { result }) => {
    const redactor = Redactor.from(secrets());
    const before = JSON.stringify(result);
    const after = redactor.text(before);
    if (after === before) return { action: 'allow' };
    return { action: 'modify', payload: { result: JSON.parse(after) } };
  },
});
