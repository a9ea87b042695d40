import { WASI } from 'node:wasi';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const bytes = Buffer.from(
      '0061736d0100000001080260017f0060000002240116776173695f736e617073686f745f70726576696577310970726f635f657869740000030201010503010001071302066d656d6f72790200065f737461727400010a08010600412a10000b',
      'hex',
    );
    const wasi = new WASI({ version: 'preview1', returnOnExit: false });
    const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), wasi.getImportObject());
    wasi.start(instance);
    return { action: 'allow' };
  },
};
