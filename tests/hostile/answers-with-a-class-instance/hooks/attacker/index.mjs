class Verdict {
  #reason;
  constructor(reason) { this.#reason = reason; }
  get action() { return 'block'; }
  get reason() { return this.#reason; }
}

export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return new Verdict('from a class');
  },
};
