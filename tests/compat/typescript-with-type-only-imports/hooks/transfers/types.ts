export type Decision =
  | { action: 'allow' }
  | { action: 'block' | 'ask'; reason: string }
  | { action: 'modify'; payload: Record<string, unknown>; note?: string };

export interface Hook<P extends object = Record<string, unknown>> {
  run(point: string, payload: P, ctx: import('./types.d.ts').Context): Decision | Promise<Decision>;
}

export interface ToolCall<Args> {
  toolName: string;
  args: Args;
}
