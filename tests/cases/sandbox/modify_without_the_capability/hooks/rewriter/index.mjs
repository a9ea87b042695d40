export default {
  run(point) {
    const payload = {
      preInput: { text: 'new' },
      preToolUse: { args: { command: 'pwd' } },
      postToolUse: { result: 'new' },
      preOutput: { text: 'new' },
      postTurn: { text: 'new' },
    }[point];
    return { action: 'modify', payload };
  },
};
