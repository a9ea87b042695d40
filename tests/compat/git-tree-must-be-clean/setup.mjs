import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';

const who = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' };
const git = (...args) => execFileSync('git', args, { env: { ...process.env, ...who }, stdio: ['ignore', 'ignore', 'inherit'] });

for (const folder of ['src', 'docs']) {
  mkdirSync(folder);
  writeFileSync(`${folder}/a.txt`, 'a\n');
}
git('init', '--initial-branch=main');
git('add', '.');
git('commit', '--quiet', '--message=first');
