const list = new Intl.ListFormat('en', { style: 'long', type: 'conjunction' });
const plural = new Intl.PluralRules('en-GB', { type: 'ordinal' });
const suffix = { one: 'st', two: 'nd', few: 'rd', other: 'th' };

function invoice({ amount, currency, date }) {
  const day = new Date(date);
  return [
    new Intl.NumberFormat('de-DE', { style: 'currency', currency }).format(amount),
    amount.toLocaleString('en-IN', { maximumFractionDigits: 1 }),
    new Intl.DateTimeFormat('fr-FR', { dateStyle: 'full', timeZone: 'Asia/Tokyo' }).format(day),
    day.toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }),
    `${day.getUTCDate()}${suffix[plural.select(day.getUTCDate())]}`,
    new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-1, 'day'),
  ].map((text) => text.replace(/\s/g, ' '));
}

export default {
  run(point, payload) {
    if (point === 'preInput') {
      const graphemes = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(payload.text)].length;
      const words = [...new Intl.Segmenter('ja', { granularity: 'word' }).segment(payload.text)].filter(({ isWordLike }) => isWordLike);
      const plain = payload.text.normalize('NFD').replace(/\p{Mn}/gu, '');
      return { action: 'modify', payload: { text: `${plain} (${graphemes} of ${payload.text.length}, ${words.length} words)` } };
    }
    const { toolName, args } = payload;
    if (toolName === 'invoice') return { action: 'ask', reason: list.format(invoice(args)) };
    if (toolName === 'sort') {
      const german = [...args.names].sort(new Intl.Collator('de', { numeric: true }).compare);
      const swedish = [...args.names].sort((a, b) => a.localeCompare(b, 'sv', { sensitivity: 'base' }));
      return { action: 'block', reason: `${german.join()} / ${swedish.join()}` };
    }
    const { locale, timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    return { action: 'block', reason: [locale, timeZone, (1234.5).toLocaleString(), new Date(0).toLocaleTimeString().replace(/\s/g, ' ')].join(' | ') };
  },
};
