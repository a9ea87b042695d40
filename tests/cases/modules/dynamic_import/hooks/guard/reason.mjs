export const reason = "imported when it was needed";
