export function hook() {
  return { action: "allow" };
}

export const version = 1;
