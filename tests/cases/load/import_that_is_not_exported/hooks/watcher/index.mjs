import { reson } from "./reason.mjs";

export default { run: () => ({ action: "block", reason: reson }) };
