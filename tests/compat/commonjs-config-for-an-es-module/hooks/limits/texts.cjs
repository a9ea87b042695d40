'use strict';
exports.tooLong = (count) => `${count} characters are too many`;
exports.shouting = 'do not shout';
module.exports.lang = 'en';
