import fs from 'node:fs';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const sync = fs.readFileSync(0, 'utf8');
    let streamed = '';
    for await (const chunk of process.stdin) streamed += chunk;
    const { bytesRead } = await new Promise((resolve, reject) => {
      fs.read(0, Buffer.alloc(10), 0, 10, null, (error, bytesRead) => error ? reject(error) : resolve({ bytesRead }));
    });
    return { action: 'modify', payload: { args: { sync, streamed, bytesRead } } };
  },
};
