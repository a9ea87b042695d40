export function run() {
  throw "just a string";
}
