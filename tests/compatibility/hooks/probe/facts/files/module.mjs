export const kind = "ES module"; export default 5;
