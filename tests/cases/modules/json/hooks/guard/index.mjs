import words from "./words.json" with { type: "json" };

const reason = words.join(" ");

export default { run: () => ({ action: "block", reason }) };
