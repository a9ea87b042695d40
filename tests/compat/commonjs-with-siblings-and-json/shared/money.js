let used = 0;

module.exports = {
  show: (amount) => {
    used += 1;
    return `EUR ${amount.toFixed(2)} #${used}`;
  },
};
