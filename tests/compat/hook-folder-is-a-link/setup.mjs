import { mkdirSync, symlinkSync } from 'node:fs';

mkdirSync('hooks');
symlinkSync('../team/linked', 'hooks/linked', 'dir');
