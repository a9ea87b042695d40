const { PORT = '8080', JUDGE_URL = `http://127.0.0.1:${PORT}` } = process.env;

export const createHook = () => ({
  async run(point, { args }) {
    if (args.amount < 10 && args.amount > 0) return { action: 'allow' };
    // A port that nobody listens on.
    const url = args.amount < 0 ? 'http://127.0.0.1:1/' : JUDGE_URL;
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(400) });
      return { action: 'block', reason: `unexpected ${response.status}` };
    } catch (error) {
      if (error.name === 'TimeoutError') {
        return { action: 'ask', reason: `no verdict in time (${error instanceof DOMException}, ${error.code})` };
      }
      return { action: 'block', reason: `no judge at all: ${error.name}` };
    }
  },
});
