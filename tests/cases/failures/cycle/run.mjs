export function run(_point, payload) {
  payload.args = payload;
  payload.text = payload;
  return { action: "modify", payload };
}
