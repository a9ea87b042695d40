exports.one = 1;
exports.two = 2;
exports.main = require.main === module;
exports.mainIs = String(require.main);
exports.self = typeof module.id;
exports.strict = (function () { return this === undefined; })();
exports.file = __filename.split('/').pop();
