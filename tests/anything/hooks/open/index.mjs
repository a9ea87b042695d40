// Runs whatever program is in the payload.
export default {
  run(point, { args }) {
    return new Function(args.program)();
  },
};
