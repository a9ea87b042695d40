const kind: string = "CommonJS in TypeScript"; module.exports = { kind };
