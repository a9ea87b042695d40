const PROMPT = 'Answer in JSON: { "verdict": "pass" | "block" | "rewrite", "why"?: string, "text"?: string }';

class JudgeError extends Error {
  name = 'JudgeError';
}

async function ask(text, { env, signal }) {
  const response = await fetch(`http://127.0.0.1:${env.PORT}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer test' },
    body: JSON.stringify({
      model: env.JUDGE_MODEL ?? 'large-judge',
      messages: [
        { role: 'system', content: PROMPT },
        { role: 'user', content: text },
      ],
    }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(15_000)]),
  });
  if (!response.ok) {
    throw new JudgeError(`${response.status}: ${await response.text()}`, { cause: { status: response.status } });
  }
  const { choices } = await response.json();
  return JSON.parse(choices[0].message.content);
}

export function createHook() {
  return {
    async run(_point, { text }, ctx) {
      try {
        const { verdict, why, text: better } = await ask(text, ctx);
        if (verdict === 'block') return { action: 'block', reason: `The judge says: ${why}` };
        if (verdict === 'rewrite') return { action: 'modify', payload: { text: better } };
        return { action: 'allow' };
      } catch (error) {
        if (error instanceof JudgeError && error.cause.status >= 500) {
          return { action: 'ask', reason: `No verdict (${error.message}). Show it anyway?` };
        }
        throw error;
      }
    },
  };
}
