import { describe, type Subject } from "./describe.ts";

interface Payload {
  text: string;
}

enum Action {
  Block = "block",
}

export default {
  run(_point: string, payload: Payload): { action: string; reason: string } {
    const subject = { text: payload.text } satisfies Subject;
    return { action: Action.Block as string, reason: describe<Subject>(subject) };
  },
};
