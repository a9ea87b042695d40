// The child of `child_process.fork`.

process.on('message', (message) => process.send({ ...message, args: process.argv.slice(2) }));
