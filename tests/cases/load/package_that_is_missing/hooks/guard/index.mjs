import { reason } from "left-pad";

export default { run: () => ({ action: "block", reason }) };
