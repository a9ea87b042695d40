let aborted = 0;
let left;

export default {
  run(point, { toolName }, { signal }) {
    if (toolName === 'tell') return left.then(() => ({ action: 'block', reason: `aborted ${aborted} times` }));
    if (toolName === 'quick') return signal.aborted ? { action: 'block' } : { action: 'allow' };
    left = new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        aborted += 1;
        resolve();
      });
    });
    return new Promise(() => {});
  },
};
