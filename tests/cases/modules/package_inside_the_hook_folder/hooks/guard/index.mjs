import { reason } from "words";

export default { run: () => ({ action: "block", reason }) };
