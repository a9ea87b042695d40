const { pathname } = new URL("./words.txt", import.meta.url);
const reason = pathname.slice(-"guard/words.txt".length);

export default { run: () => ({ action: "block", reason }) };
