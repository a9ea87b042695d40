import { randomFill } from 'node:crypto';
import fs from 'node:fs';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const file = await fs.promises.open(import.meta.filename);
    for (let round = 0; round < 40; round++) {
      const buffer = new Uint8Array(65536);
      const reading = file.read(buffer, 0, 65536, 0);
      randomFill(buffer, () => {});
      structuredClone(buffer.buffer, { transfer: [buffer.buffer] });
      await reading.catch(() => {});
      const resizable = new ArrayBuffer(65536, { maxByteLength: 65536 });
      const other = file.read(new Uint8Array(resizable), 0, 65536, 0);
      randomFill(new Uint8Array(resizable), () => {});
      resizable.resize(1);
      await other.catch(() => {});
    }
    await file.close();
    return { action: 'modify', payload: { args: {} } };
  },
};
