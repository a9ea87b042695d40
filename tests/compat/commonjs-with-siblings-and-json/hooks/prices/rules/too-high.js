const catalog = require('../catalog.json');
const { show } = require('../../../shared/money');

module.exports = ({ sku, price }) => price > catalog[sku].max && `${show(price)} is more than ${show(catalog[sku].max)}`;
