// Each hook has a copy of its own.
export const kept = {};
