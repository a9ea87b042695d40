import { run } from "../../run.mjs";

export default { run };
