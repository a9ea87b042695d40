export type Rule = (text: string) => string | undefined;
