// The part of YAML that our policies use: maps, lists, scalars, flow lists, folded texts.

const SCALARS = { true: true, false: false, null: null, '~': null, '': null };

export function parse(text) {
  const lines = text
    .split(/\r?\n/)
    .map((raw) => ({ indent: raw.search(/\S/), text: raw.trim() }))
    .filter(({ indent, text }) => indent >= 0 && !text.startsWith('#'));
  let at = 0;

  function block(indent) {
    return lines[at].text.startsWith('- ') ? list(indent) : map(indent);
  }

  function list(indent) {
    const items = [];
    while (at < lines.length && lines[at].indent === indent && lines[at].text.startsWith('- ')) {
      // `- key: value` is a map that begins two columns further on.
      lines[at] = { indent: indent + 2, text: lines[at].text.slice(2).trim() };
      items.push(/^[\w-]+:/.test(lines[at].text) ? map(indent + 2) : scalar(lines[at++].text));
    }
    return items;
  }

  function map(indent) {
    const result = {};
    while (at < lines.length && lines[at].indent === indent) {
      const found = /^([\w-]+):\s*(.*)$/.exec(lines[at].text);
      if (!found) throw new SyntaxError(`policy line: ${lines[at].text}`);
      at++;
      const [, key, rest] = found;
      if (/^[>|]-?$/.test(rest)) result[key] = folded(indent, rest[0] === '>' ? ' ' : '\n');
      else if (rest === '' && at < lines.length && lines[at].indent > indent) result[key] = block(lines[at].indent);
      else result[key] = scalar(rest);
    }
    return result;
  }

  function folded(indent, joiner) {
    const parts = [];
    while (at < lines.length && lines[at].indent > indent) parts.push(lines[at++].text);
    return parts.join(joiner);
  }

  return lines.length === 0 ? null : block(lines[0].indent);
}

function scalar(text) {
  const quoted = /^(['"])(.*)\1$/.exec(text);
  if (quoted) return quoted[2];
  if (text.startsWith('[')) return text.slice(1, -1).split(',').map((item) => scalar(item.trim()));
  if (Object.hasOwn(SCALARS, text)) return SCALARS[text];
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
