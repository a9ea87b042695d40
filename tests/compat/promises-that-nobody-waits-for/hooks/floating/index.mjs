const done = [];
let late;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function refresh(name, fails) {
  await sleep(1);
  done.push(name);
  if (fails) throw new Error(`${name} failed`);
}

export const createHook = () => ({
  async run(point, { toolName }) {
    switch (toolName) {
      case 'reject':
        refresh('cache', true);
        Promise.reject(new Error('straight away'));
        return { action: 'allow' };
      case 'throw-later':
        setTimeout(() => {
          done.push('timer');
          throw new TypeError('in a timer');
        }, 1);
        return { action: 'allow' };
      case 'late':
        late = refresh('late', false);
        return { action: 'allow' };
      default:
        await late;
        while (done.length < 3) await sleep(5);
        return { action: 'block', reason: done.sort().join(', ') };
    }
  },
});
