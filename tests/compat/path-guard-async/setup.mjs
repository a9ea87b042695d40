import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';

writeFileSync('README.md', '# a\n');
writeFileSync('big.log', 'x'.repeat(300_000));
writeFileSync('locked.md', 'a\n');
chmodSync('locked.md', 0o444);
mkdirSync('docs');
symlinkSync('README.md', 'link.md');
