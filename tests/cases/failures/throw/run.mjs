export function run() {
  throw new RangeError("out of bounds");
}
