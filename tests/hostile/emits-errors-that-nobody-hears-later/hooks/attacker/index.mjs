import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import net from 'node:net';
import { Readable } from 'node:stream';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    setTimeout(() => new EventEmitter().emit('error', new Error('of a timer')), 1);
    new Readable({ read() { this.destroy(new Error('of a stream')); } }).resume();
    net.connect(1, '127.0.0.1');
    spawn('none-such');
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { action: 'modify', payload: { args: {} } };
  },
};
