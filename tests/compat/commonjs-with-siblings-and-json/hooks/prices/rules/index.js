const catalog = require('../catalog');
const tooHigh = require('./too-high');

module.exports = [
  ({ sku }) => !(sku in catalog) && `${sku} is not in the catalog of ${Object.keys(catalog).length}`,
  ({ price }) => price < 0 && 'prices are not negative',
  tooHigh,
];
