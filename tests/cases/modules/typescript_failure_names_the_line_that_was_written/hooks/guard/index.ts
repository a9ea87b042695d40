interface Payload {
  text: string;
}

type Reply = { action: "allow" };

export default {
  run(_point: string, payload: Payload): Reply {
    throw new Error(`cannot judge ${payload.text}`);
  },
};
