export default {
  run(point, { args }) {
    return { action: 'block', reason: `${args.id}: only watching`, user_message: 'nobody reads this' };
  },
};
