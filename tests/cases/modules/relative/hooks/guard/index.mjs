import { reason } from "./lib/reason.mjs";

export default { run: () => ({ action: "block", reason }) };
