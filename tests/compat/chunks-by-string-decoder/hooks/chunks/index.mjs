import { StringDecoder } from 'node:string_decoder';
import { Buffer } from 'node:buffer';

export default (config) => {
  return (point, { result }) => {
    const chunks = result.chunks.map((chunk) => Buffer.from(chunk, 'hex'));
    const decoder = new StringDecoder('utf8');
    const web = new TextDecoder();
    const parts = chunks.map((chunk) => decoder.write(chunk));
    const rest = decoder.end();
    const text = parts.join('') + rest;
    const same = chunks.map((chunk) => web.decode(chunk, { stream: true })).join('') + web.decode();
    const whole = Buffer.concat(chunks).toString();
    if (text !== whole || same !== whole) return { action: 'block', reason: `${text} ${same} ${whole}` };
    if (rest !== '') return { action: 'ask', reason: `${JSON.stringify(text)} is not complete (${parts.length} parts)` };
    if (text === '') return { action: 'allow' };
    const base64 = new StringDecoder('base64');
    return { action: 'modify', payload: { result: { text, parts, base64: base64.write(chunks[0]) + base64.end(chunks[1]) } } };
  };
};
