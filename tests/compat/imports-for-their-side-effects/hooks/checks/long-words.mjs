globalThis[Symbol.for('checks')].push({
  name: 'long words',
  fails: (text) => text.split(' ').some((word) => word.length > 20),
});
