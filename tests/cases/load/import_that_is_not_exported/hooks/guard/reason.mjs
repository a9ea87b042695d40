export const reason = "spelt right";
