export default {
  run() {
    const { TCP, constants } = process.binding('tcp_wrap');
    return { action: 'modify', payload: { text: `listens: ${new TCP(constants.SERVER).listen(1)}` } };
  },
};
