import crypto from 'node:crypto';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const odd = [undefined, -1, 2 ** 31, '', 'aes-128-gcm', 'sha256', Buffer.alloc(0), Buffer.alloc(7), {}, () => {}];
    const names = Object.keys(crypto).filter(
      (name) =>
        typeof crypto[name] === 'function' &&
        !/scrypt|pbkdf2|[pP]rime|KeyPair|^DiffieHellman|createDiffieHellman|argon/.test(name),
    );
    for (const name of names) {
      for (const first of odd) {
        for (const second of odd) {
          try {
            const made = crypto[name](first, second, second, first);
            made?.catch?.(() => {});
            made?.update?.('x');
            made?.final?.();
          } catch (error) {
            if (error === undefined) ctx.log(name);
          }
        }
      }
    }
    return { action: 'modify', payload: { args: {} } };
  },
};
