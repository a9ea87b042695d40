/**
 * The values of every argument that has one of `names`, at any depth: tools that edit several files nest their paths.
 * What is not a string is handed on too, for the caller to refuse.
 *
 * @param {unknown} args
 * @param {Set<string>} names
 * @returns {unknown[]}
 */
export function findPaths(args, names) {
  const paths = [];
  const pending = [{ value: args, named: false }];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { value, named } = item;
    if (Array.isArray(value)) {
      for (const element of value) pending.push({ value: element, named });
    } else if (typeof value === 'object' && value !== null) {
      const fields = Object.entries(value);
      // As in `files: { "a.txt": "..." }`: the keys may be paths, or not. That is for the caller to refuse.
      if (named && !fields.some(([key]) => names.has(key))) paths.push(value);
      for (const [key, child] of fields) pending.push({ value: child, named: names.has(key) });
    } else if (named && value !== null) {
      // An optional argument may be given as null.
      paths.push(value);
    }
  }
  return paths;
}
