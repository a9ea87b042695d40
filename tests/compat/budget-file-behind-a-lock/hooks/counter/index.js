'use strict';
const fs = require('fs');

const LOCK = 'count.lock';
const FILE = 'count.json';
const STALE = 60 * 1000;

function lock() {
  let broke = false;
  for (;;) {
    try {
      fs.closeSync(fs.openSync(LOCK, fs.constants.O_CREAT | fs.constants.O_EXCL | fs.constants.O_WRONLY));
      return broke;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const { mtimeMs, mtime } = fs.statSync(LOCK);
      if (Date.now() - mtimeMs < STALE) {
        const busy = new Error('locked');
        busy.code = 'EBUSY';
        throw busy;
      }
      broke = mtime.toISOString();
      fs.unlinkSync(LOCK);
    }
  }
}

function read() {
  try {
    return JSON.parse(fs.readFileSync(FILE, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

module.exports = {
  run: function (point, payload) {
    if (payload.toolName === 'steal') {
      fs.writeFileSync(LOCK, String(process.pid));
      return { action: 'allow' };
    }
    if (payload.toolName === 'read') return { action: 'block', reason: JSON.stringify(read()) };
    let broke;
    try {
      broke = lock();
    } catch (error) {
      return { action: 'ask', reason: 'the counter is ' + error.message + ' (' + error.code + ')' };
    }
    try {
      fs.writeFileSync(FILE, JSON.stringify(read().concat(payload.args.n)));
    } finally {
      fs.unlinkSync(LOCK);
    }
    return broke ? { action: 'ask', reason: 'broke a lock of ' + broke } : { action: 'allow' };
  },
};
