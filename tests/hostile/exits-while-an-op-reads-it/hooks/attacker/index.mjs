import fs from 'node:fs';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const leave = () => process.exit(0);
    const doors = {
      digest: () => crypto.subtle.digest({ get name() { leave(); } }, new Uint8Array(1)),
      url: () => new URL({ toString: leave }),
      text: () => new TextDecoder({ toString: leave }),
      write: () => fs.writeFileSync({ toString: leave }, ''),
      clone: () => structuredClone({ get value() { leave(); } }),
    };
    await doors[args.door]();
    return { action: 'allow' };
  },
};
