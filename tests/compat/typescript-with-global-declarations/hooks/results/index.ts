import { above, type Scored } from './filter.mts';

declare global {
  var searches: number;
}

declare namespace Results {
  interface Row extends Scored {
    title: string;
    id?: string;
  }
}

globalThis.searches = 0;

export default async function ({ minimum }: { minimum: number }) {
  return {
    async run(_: string, payload: { result: Results.Row[]; isError: boolean }) {
      if (payload.isError) return { action: 'allow' as const };
      const rows: Results.Row[] = [];
      globalThis.searches += 1;
      for await (const row of above(payload.result, minimum)) {
        rows.push({ ...row, id: Buffer.from(row.title).toString('base64') });
      }
      if (rows.length === 0) return { action: 'ask' as const, reason: `nothing found, ${globalThis.searches} searches so far` };
      return { action: 'modify' as const, payload: { result: rows } };
    },
  };
}
