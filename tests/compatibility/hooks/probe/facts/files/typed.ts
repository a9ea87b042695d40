export const kind: string = "TypeScript";
