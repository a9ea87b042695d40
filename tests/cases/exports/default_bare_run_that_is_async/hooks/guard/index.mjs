export default async (point, payload, ctx) => {
  await null;
  return { action: "block", reason: `${ctx.hookName} at ${point} says ${payload.text}` };
};
