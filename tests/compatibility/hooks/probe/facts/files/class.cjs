module.exports = class Only {}; module.exports.extra = 1;
