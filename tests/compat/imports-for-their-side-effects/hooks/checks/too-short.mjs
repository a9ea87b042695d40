globalThis[Symbol.for('checks')].push({ name: 'too short', fails: (text) => text.wordCount() < 2 });
globalThis[Symbol.for('checks')].push({ name: 'hardly anything', fails: (text) => text.wordCount() < 3 });
