export function run() {
  return new Promise(() => {});
}
