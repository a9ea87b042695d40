export type Currency = 'EUR' | 'USD';
export type Limits = Readonly<Record<Currency, number>>;

export const isCurrency = (text: string, limits: Limits): text is Currency => Object.hasOwn(limits, text);
