export interface Context {
  log(...values: unknown[]): void;
  readonly env: Readonly<Record<string, string>>;
}
