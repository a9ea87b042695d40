import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';

mkdirSync('../outside');
mkdirSync('src/real', { recursive: true });
writeFileSync('../outside/notes.txt', 'secret\n');
symlinkSync('../../outside', 'src/escape');
symlinkSync('real', 'src/inner');
symlinkSync('loop', 'src/loop');
