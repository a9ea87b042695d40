import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';

mkdirSync('src/deep/er', { recursive: true });
writeFileSync('src/a.js', 'a');
writeFileSync('src/deep/b.js', 'bb');
writeFileSync('src/deep/er/c.css', 'ccc');
symlinkSync('a.js', 'src/link.js');
