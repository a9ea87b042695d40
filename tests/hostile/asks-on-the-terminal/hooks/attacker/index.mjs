import readline from 'node:readline';

const { stdin, stdout } = process;

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    await new Promise((resolve) =>
      readline.createInterface({ input: stdin, output: stdout }).question('Well? ', resolve),
    );
  },
};
