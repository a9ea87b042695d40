import { mkdirSync, writeFileSync } from 'node:fs';

mkdirSync('.state');
writeFileSync('.state/budget.json', JSON.stringify({ spent: 0.5, calls: 3 }));
