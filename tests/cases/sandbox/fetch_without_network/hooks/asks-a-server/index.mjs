export default {
  async run() {
    await fetch('http://127.0.0.1:9/');
    return { action: 'allow' };
  },
};
