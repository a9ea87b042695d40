export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    let answer = { action: 'allow' };
    for (let level = 0; level < 100_000; level++) answer = new Proxy(answer, {});
    return answer;
  },
};
