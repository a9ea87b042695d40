const base = { longest: 20 };

module.exports = { ...base, shouting: true, ...(process.env.SURELY_NOT_SET ? { longest: 1 } : null) };
