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
      deep,
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
    Object.prototype.toJSON = function () {
      return this === deep ? 0 : { within: this };
    };
    try {
      child.send({ to: 'a child' });
    } catch (error) {
      errors.push(error.name);
    }
    delete Object.prototype.toJSON;
    child.kill();
    return { action: 'modify', payload: { args: { errors } } };
  },
};
