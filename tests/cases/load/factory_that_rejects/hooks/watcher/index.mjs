export async function createHook() {
  await null;
  throw new Error("the configuration server is down");
}
