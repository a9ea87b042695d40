export function run() {
  while (true) {}
}
