const line = 'flood '.repeat(100);

export default {
  run(point, { text }, ctx) {
    if (text === 'evil') for (let i = 0; i < 2000; i++) ctx.log(line, i);
    return { action: 'allow' };
  },
};
