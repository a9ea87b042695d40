export const told = (word: string): string => `${word} is shouting`;
