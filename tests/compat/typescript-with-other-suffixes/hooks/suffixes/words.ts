export const words: readonly string[] = ['darn', 'heck'] as const;
