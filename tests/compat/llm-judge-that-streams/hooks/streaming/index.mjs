async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  try {
    read: while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      buffer += value;
      let end;
      while ((end = buffer.indexOf('\n\n')) !== -1) {
        const block = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        const data = block.split('\n').find((line) => line.startsWith('data: '))?.slice(6);
        if (data === undefined) continue read;
        if (data === '[DONE]') return;
        yield JSON.parse(data).delta;
      }
    }
  } finally {
    await reader.cancel();
  }
}

export default async function run(point, payload, { env }) {
  const response = await fetch(`http://127.0.0.1:${env.PORT}/`, { method: 'POST', body: payload.text });
  let said = '';
  for await (const part of events(response.body)) {
    said += part;
    if (said.startsWith('BLOCK') && said.length > 10) break;
  }
  if (said.startsWith('BLOCK')) return { action: 'block', reason: said.slice(6) };
  return { action: 'ask', reason: `${said} (${[...said].length} characters, ${response.headers.get('content-type')})` };
}
