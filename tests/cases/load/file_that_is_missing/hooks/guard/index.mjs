import { reason } from "./reson.mjs";

export default { run: () => ({ action: "block", reason }) };
