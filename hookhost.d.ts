// What hookhost gives to a hook, and what a hook may answer. Written by `hookhost types`; changes are lost.
//
// In JavaScript:
//   /** @type {import('../../hookhost.d.ts').CreateHook<{ limit: number }, 'preToolUse'>} */
//   export const createHook = ({ limit }) => ({ run(point, payload, ctx) { return { action: 'allow' }; } });
//
// In TypeScript:
//   import type { CreateHook } from '../../hookhost.d.ts';
//   export const createHook: CreateHook<{ limit: number }, 'preToolUse'> = ({ limit }) => ({ run(point, payload, ctx) { ... } });

/** The points of a turn, in the order in which a turn reaches them. */
export type TurnPoint = 'preInput' | 'preToolUse' | 'postToolUse' | 'preOutput' | 'postTurn';

/** The name of an event. */
export type EventName = `${string}:${string}`;

/** Where a hook is called. */
export type Point = TurnPoint | EventName;

/** What a hook is given, by point. */
export interface Payloads {
  preInput: PreInputPayload;
  preToolUse: PreToolUsePayload;
  postToolUse: PostToolUsePayload;
  preOutput: PreOutputPayload;
  postTurn: PostTurnPayload;
  [event: EventName]: Record<string, any>;
}

/** What a hook is given at a point: fields that the loop adds pass through. */
export type Payload<P extends Point> = Payloads[P] & { [field: string]: unknown };

/** What a modify may change, by point. Changes to other fields have no effect. */
export interface Changes {
  preInput: Pick<PreInputPayload, 'text'>;
  preToolUse: Pick<PreToolUsePayload, 'args'>;
  postToolUse: Pick<PostToolUsePayload, 'result'>;
  preOutput: Pick<PreOutputPayload, 'text'>;
  postTurn: Record<string, never>;
  [event: EventName]: Record<string, unknown>;
}

/** The third argument of `run`, fresh for every call. */
export interface Ctx {
  /** Adds a line to the decision's logs and to the host's log. Takes any values. */
  log(...values: unknown[]): void;
  /** Strings that the host chose; never the process's environment. With an enforced sandbox only with `secrets`. */
  readonly env: Readonly<Record<string, string>>;
  /** Aborted when the call's time is up. */
  readonly signal: AbortSignal;
  /** The hook's name. */
  readonly hookName: string;
  /** Who is behind the turn, if the host passed it. */
  readonly caller?: Caller;
  /** The scope of the session, if the host passed it. */
  readonly scopeId?: string;
  /** The turn's request context, if the host passed it. */
  readonly context?: Readonly<Record<string, string>>;
  /** The session, if known. */
  readonly sessionId?: string;
  /** The turn, if known. */
  readonly turnId?: string;
  /** With the capability `store:read`, if the host has a store. */
  readonly store?: StoreReader;
}

/** A row of a store. */
export type Row = Record<string, any>;

/** Read access to the host's data. */
export interface StoreReader {
  /** The row under a key, or null. */
  get(store: string, key: string): Promise<Row | null>;
  /** The rows whose fields equal every field of the filter; without one, all rows. */
  query(store: string, filter?: Record<string, unknown>): Promise<Row[]>;
}

/** What the user is told, beside any decision. */
export interface UserMessage {
  /** The text. */
  user_message?: string;
  /** How serious it is. Default: `info`. */
  user_message_level?: MessageLevel;
}

/** Go on. */
export interface Allow extends UserMessage {
  action: 'allow' | 'continue';
}

/** Stop; later hooks are not asked. */
export interface Block extends UserMessage {
  action: 'block' | 'deny';
  /** Why. There is a default. */
  reason?: string;
}

/** Go on with another payload. */
export interface Modify<P extends Point = Point> extends UserMessage {
  action: 'modify';
  /** Laid over the payload. */
  payload: Changes[P];
  /** Why, for the record. */
  note?: string;
}

/** The same in the words of event handlers. */
export interface ModifyData<P extends Point = Point> extends UserMessage {
  action: 'modify';
  /** Laid over the payload. */
  data: Changes[P];
  /** Why, for the record. */
  note?: string;
}

/** Let a person decide. */
export interface Ask extends UserMessage {
  action: 'ask' | 'ask_user';
  /** Why. There is a default. */
  reason?: string;
  /** The question. Default: the reason. */
  approval_prompt?: string;
  /** The answers to choose from. Default: allow or deny. */
  approval_options?: string[];
  /** Seconds to wait for an answer. Default: 300. */
  approval_timeout?: number;
  /** What no answer means. Default: `deny`. */
  approval_default?: ApprovalDefault;
}

/** Go on, and tell the model something. */
export interface InjectContext extends UserMessage {
  action: 'inject_context';
  /** What the model is told. */
  context_injection: string;
  /** In whose name. Default: `system`. */
  context_injection_role?: InjectionRole;
  /** Only for the next call of the model. Default: false. */
  ephemeral?: boolean;
  /** Added to the last tool result instead of a message of its own. Default: false. */
  append_to_last_tool_result?: boolean;
}

/** What `run` may answer. Anything else is a failure, which `failPolicy` decides. */
export type Decision<P extends Point = Point> = Allow | Block | Modify<P> | ModifyData<P> | Ask | InjectContext;

/** The arguments of `run`: `point` tells which payload it is. */
export type Arguments<P extends Point = Point> = { [K in P]: [point: K, payload: Payload<K>, ctx: Ctx] }[P];

/** What answers. It may be async. */
export type Run<P extends Point = Point> = (...args: Arguments<P>) => Decision<P> | Promise<Decision<P>>;

/** A hook, bound to the points `P`. */
export interface Hook<P extends Point = Point> {
  run(...args: Arguments<P>): Decision<P> | Promise<Decision<P>>;
}

/** What a module exports: called once with the hook's config. It may be async. */
export type CreateHook<Config = any, P extends Point = Point> = (
  config: Config,
) => Hook<P> | Run<P> | Promise<Hook<P> | Run<P>>;

/**
 * The user's text, before it is stored and before the model sees it.
 */
export type PreInputPayload = {
/**
 * What the user wrote. A modify may change it, into another string.
 */
text: string,
/**
 * Where it comes from: `chat` for a live turn.
 */
source: string, };

/**
 * A tool call that the model selected, before it runs.
 */
export type PreToolUsePayload = {
/**
 * The tool's name.
 */
toolName: string,
/**
 * The arguments, as the model wrote them: look before you rely on them. A modify may change them.
 */
args: any, };

/**
 * A tool's result, before the model sees it.
 */
export type PostToolUsePayload = {
/**
 * The tool's name.
 */
toolName: string,
/**
 * The arguments that the tool ran with.
 */
args: any,
/**
 * What the tool gave back. A modify may change it, into anything.
 */
result: any,
/**
 * The tool failed, and `result` says how.
 */
isError: boolean, };

/**
 * The assistant's text, before it is stored and shown.
 */
export type PreOutputPayload = {
/**
 * What the assistant wrote. A modify may change it, into another string.
 */
text: string,
/**
 * Where it goes to: `chat` for a live turn.
 */
channels: Array<string>, };

/**
 * The finished turn. Answers here are recorded only.
 */
export type PostTurnPayload = {
/**
 * What the assistant said, as the user saw it.
 */
text: string,
/**
 * The tool calls of the turn.
 */
toolCalls: any,
/**
 * What the turn cost, as the loop counts it.
 */
usage: any, };

/**
 * Who is behind a turn, as hooks see it in `ctx.caller`.
 */
export type Caller = {
/**
 * The user, when known.
 */
userId?: string,
/**
 * Where the call comes from. Default `chat`, a live turn.
 */
source: string,
/**
 * The user's organisation, when known.
 */
orgId?: string, };

/**
 * What a hook says it needs. `store:read` is always enforced. The others state intent, unless the host's sandbox
 * enforces them; those that only read state intent even then.
 */
export type Capability = "reads_input" | "modifies_input" | "reads_output" | "modifies_output" | "reads_tool_io" | "modifies_tool_io" | "gates_tools" | "network" | "secrets" | "store:read";

/**
 * The role of a message that a hook adds to the conversation.
 */
export type InjectionRole = "system" | "user" | "assistant";

/**
 * How serious a message to the user is.
 */
export type MessageLevel = "info" | "warning" | "error";

/**
 * What no answer from the user means.
 */
export type ApprovalDefault = "allow" | "deny";
