import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

writeFileSync('login.js', 'export const login = () => fetch("/login");\n');
writeFileSync('id.env', 'TOKEN=ghs_abcdefghijklmnopqrstuvwxyz0123456789\n');
execFileSync('git', ['init', '--quiet', '--initial-branch=main']);
execFileSync('git', ['add', 'login.js', 'id.env']);
