globalThis.Error = globalThis.TypeError = globalThis.RangeError = function () { throw 'patched'; };
const throws = () => { throw 'patched'; };
for (const name of ['name', 'message', 'toString']) {
  Object.defineProperty(SyntaxError.prototype, name, { get: throws });
}

export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    null.path;
  },
};
