import main from "words";
import { extra } from "words/extra";

const reason = `${main}, ${extra}`;

export default { run: () => ({ action: "block", reason }) };
