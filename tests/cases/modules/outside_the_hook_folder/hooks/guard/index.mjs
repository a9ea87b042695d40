import { reason } from "../../shared/reason.mjs";

export default { run: () => ({ action: "block", reason }) };
