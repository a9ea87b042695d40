export const run = () => ({ action: "modify", payload: { args: { id: 10n }, text: 10n } });
