// The timers go on after the answer; at most a few thousand wait at a time.
let waiting = 0;

export default {
  run(point, { text }) {
    if (text === 'evil') {
      for (; waiting < 3000; waiting++) {
        setTimeout(() => {
          waiting -= 1;
        }, waiting % 50);
      }
    }
    return { action: 'allow' };
  },
};
