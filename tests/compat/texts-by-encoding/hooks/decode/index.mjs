const encoder = new TextEncoder();

function decode(bytes, encoding) {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return { text: decoder.decode(Uint8Array.from(bytes)), encoding: decoder.encoding, fatal: decoder.fatal };
}

export function createHook() {
  return {
    run(_point, { args, result }) {
      try {
        const decoded = decode(result, args.encoding);
        const room = new Uint8Array(5);
        const { read, written } = encoder.encodeInto(decoded.text, room);
        const packed = btoa(String.fromCharCode(...room.subarray(0, written)));
        return { action: 'modify', payload: { result: { ...decoded, read, written, packed, back: atob(packed).length } } };
      } catch (error) {
        const lossy = error instanceof TypeError ? new TextDecoder().decode(Uint8Array.from(result)) : '';
        return { action: 'block', reason: `${error.name}: ${JSON.stringify(lossy)} ${escape(lossy)}` };
      }
    },
  };
}
