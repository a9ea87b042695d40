exports.isBlank = function isBlank(text) {
  return !/\S/.test(text);
};
