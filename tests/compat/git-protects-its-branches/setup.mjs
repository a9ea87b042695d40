import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const who = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' };
const git = (...args) => execFileSync('git', args, { env: { ...process.env, ...who }, stdio: ['ignore', 'ignore', 'inherit'] });

writeFileSync('main.c', 'int main(void) { return 0; }\n');
git('init', '--initial-branch=main');
git('add', 'main.c');
git('commit', '--quiet', '--message=first');
git('branch', 'release/1.x');
