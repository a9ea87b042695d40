import { spawn } from 'node:child_process';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const child = spawn(process.execPath, ['-e', ''], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    child.on('error', () => {});
    const circle = {};
    circle.itself = circle;
    let deep = [];
    for (let level = 0; level < 3000; level += 1) deep = [deep];
    const messages = [
      circle,
      {
        get thrown() {
          throw new Error('from a getter');
        },
      },
    ];
    const errors = [];
    for (const message of messages) {
      try {
        child.send(message);
      } catch (error) {
        errors.push(error.message.split('\n')[0]);
      }
    }
    const within = (levels) => {
      if (levels > 0) return within(levels - 1);
      child.send(deep);
    };
    for (const levels of [0, 100, 1000, 3000, 6000]) {
      try {
        within(levels);
      } catch (error) {
        if (error.name !== 'RangeError') errors.push(error.message);
      }
    }
    child.kill();
    return { action: 'modify', payload: { args: { errors } } };
  },
};
