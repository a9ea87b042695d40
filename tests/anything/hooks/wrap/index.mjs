// Changes the point's field so little that what was there can be found again.
export default {
  run(point, payload) {
    switch (point) {
      case 'preToolUse':
        return { action: 'modify', payload: { ...payload, args: { was: payload.args } } };
      case 'postToolUse':
        return { action: 'modify', payload: { ...payload, result: { was: payload.result } } };
      default:
        return { action: 'modify', payload: { ...payload, text: `${payload.text}!` } };
    }
  },
};
