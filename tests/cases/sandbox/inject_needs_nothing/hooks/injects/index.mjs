export default {
  run() {
    return { action: 'inject_context', context_injection: 'be brief' };
  },
};
