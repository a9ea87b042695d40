const OPERATORS = ['&&', '||', ';', '|', '&'];

/** Yields words and operators of a POSIX-like command line. Throws a SyntaxError on an open quote. */
export function* tokenize(line) {
  let index = 0;
  let word = null;
  scan: while (index < line.length) {
    const char = line[index];
    for (const operator of OPERATORS) {
      if (line.startsWith(operator, index)) {
        if (word !== null) yield { word };
        word = null;
        yield { operator };
        index += operator.length;
        continue scan;
      }
    }
    if (/\s/.test(char)) {
      if (word !== null) yield { word };
      word = null;
      index++;
    } else if (char === "'" || char === '"') {
      const end = line.indexOf(char, index + 1);
      if (end === -1) throw new SyntaxError(`unterminated ${char} at ${index}`);
      word = (word ?? '') + line.slice(index + 1, end);
      index = end + 1;
    } else if (char === '\\') {
      word = (word ?? '') + (line[index + 1] ?? '');
      index += 2;
    } else {
      word = (word ?? '') + char;
      index++;
    }
  }
  if (word !== null) yield { word };
}

/** Groups tokens into simple commands, each a list of words. */
export function commands(line) {
  const list = [[]];
  for (const token of tokenize(line)) {
    if (token.operator) list.push([]);
    else list.at(-1).push(token.word);
  }
  return list.filter((words) => words.length > 0);
}
