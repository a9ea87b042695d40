module.exports = { version: 9, limit: Number(process.env.MAX_FILES || 10) };
