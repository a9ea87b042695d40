import { next } from "../../shared/counter.mjs";

export default { run: (_point, _payload, ctx) => { ctx.log(next()); return { action: "allow" }; } };
