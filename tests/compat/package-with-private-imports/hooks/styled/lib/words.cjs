module.exports = { via: 'require' };
