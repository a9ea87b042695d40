export async function run() {
  await null;
  throw new TypeError("not a mail");
}
