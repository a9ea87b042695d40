'use strict';

const fs = require('fs');
const path = require('path');
const { forbidden } = require('./words.json');

const more = fs
  .readFileSync(path.join(__dirname, 'more.txt'), 'utf8')
  .replace(/^\uFEFF/, '')
  .split(/\r?\n/)
  .filter(Boolean);

const TEMPLATE = `two
lines`;

exports.createHook = () => ({
  run(point, { text }) {
    if (text === 'template') return { action: 'block', reason: JSON.stringify([TEMPLATE, more, createdBy.toString().length]) };
    const word = [...forbidden, ...more].find((candidate) => text.includes(candidate));
    if (word) return { action: 'block', reason: `"${word}" is forbidden` };
    return { action: 'modify', payload: { text: text.replace(/\r\n/g, '\n') } };
  },
});

function createdBy() {
  // Two lines,
  return 'and a comment';
}
