import { utimesSync, writeFileSync } from 'node:fs';

// Left behind by somebody, long ago.
writeFileSync('count.lock', '1');
utimesSync('count.lock', new Date('2020-01-01T00:00:00Z'), new Date('2020-01-01T00:00:00Z'));
