// Loops where it is told to, and is ended with its host.
export default {
  async run(point, { text }) {
    if (text === 'timer') setInterval(() => { while (true); }, 1);
    if (text === 'async') await null;
    while (text !== 'good' && text !== 'timer');
    return text === 'timer' ? new Promise(() => {}) : { action: 'allow' };
  },
};
