export default function run(point, payload) {
  return { action: "block", reason: `${point} says ${payload.text}` };
}
