import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const who = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' };
const git = (...args) => execFileSync('git', args, { env: { ...process.env, ...who }, stdio: ['ignore', 'ignore', 'inherit'] });
const lines = (count) => Array.from({ length: count }, (_, number) => `line ${number}\n`).join('');

git('init', '--initial-branch=main');
writeFileSync('a.txt', lines(10));
writeFileSync('image.bin', Buffer.from([0, 1, 2, 3]));
git('add', '.');
git('commit', '--quiet', '--message=first');
writeFileSync('a.txt', lines(400));
writeFileSync('image.bin', Buffer.from([0, 1, 2, 4]));
git('commit', '--quiet', '--all', '--message=second');
writeFileSync('a.txt', lines(405));
