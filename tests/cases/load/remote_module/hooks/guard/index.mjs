import { reason } from "https://example.com/reason.mjs";

export default { run: () => ({ action: "block", reason }) };
