const PATTERN = /^(\d+)\.(\d+)\.(\d+)(?:-(.+))?$/;

function parse(text) {
  const found = PATTERN.exec(text);
  if (!found) throw new TypeError('Invalid version: ' + text);
  return { numbers: found.slice(1, 4).map(Number), pre: found[4] || null };
}

exports.parse = parse;
exports.compare = function (a, b) {
  const left = parse(a).numbers, right = parse(b).numbers;
  for (let i = 0; i < 3; i++) if (left[i] !== right[i]) return left[i] - right[i];
  return 0;
};
exports.where = __filename.slice(__dirname.length + 1);
