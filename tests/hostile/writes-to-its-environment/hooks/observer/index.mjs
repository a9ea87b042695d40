export default {
  run(point, payload) {
    const { HOOKHOST_TEST_FORGED, LD_PRELOAD, PATH } = process.env;
    return {
      action: 'modify',
      payload: { result: { forged: typeof HOOKHOST_TEST_FORGED, preload: typeof LD_PRELOAD, path: typeof PATH } },
    };
  },
};
