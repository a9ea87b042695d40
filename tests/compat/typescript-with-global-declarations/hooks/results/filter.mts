export interface Scored {
  score: number;
}

export async function* above<T extends Scored>(items: AsyncIterable<T> | Iterable<T>, minimum: number): AsyncGenerator<T, void, undefined> {
  for await (const item of items) if (item.score >= minimum) yield item;
}
