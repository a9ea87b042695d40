module.exports = (address) => /^[^@\s]+@([^@\s]+)$/.exec(address)?.[1] ?? null;
