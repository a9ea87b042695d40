globalThis[Symbol.for('checks')] ??= [];

if (!Array.prototype.lastOf) {
  Object.defineProperty(Array.prototype, 'lastOf', {
    value(predicate) {
      return this.findLast(predicate);
    },
  });
}
String.prototype.wordCount = function () {
  return this.split(/\s+/).filter((word) => word !== '').length;
};
