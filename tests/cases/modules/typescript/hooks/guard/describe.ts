export type Subject = { text: string };

export function describe<T extends Subject>(subject: T): string {
  return `"${subject.text}", with its types stripped`;
}
