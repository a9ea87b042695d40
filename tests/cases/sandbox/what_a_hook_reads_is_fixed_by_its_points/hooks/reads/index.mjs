export default {
  run(point, payload) {
    return { action: 'inject_context', context_injection: JSON.stringify(payload) };
  },
};
