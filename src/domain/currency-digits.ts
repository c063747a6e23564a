/** Digits of minor units of the currencies of ISO 4217 that do not have two. */
// One row per line: this is a table.
// oxfmt-ignore
const EXPONENTS: Readonly<Record<string, number>> = {
  BIF: 0, CLP: 0, DJF: 0, GNF: 0, ISK: 0, JPY: 0, KMF: 0, KRW: 0, PYG: 0, RWF: 0, UGX: 0, UYI: 0, VND: 0, VUV: 0, XAF: 0, XOF: 0, XPF: 0,
  BHD: 3, IQD: 3, JOD: 3, KWD: 3, LYD: 3, OMR: 3, TND: 3,
  CLF: 4, UYW: 4,
};

/** The digits after the point that amounts of a currency have. */
export function exponentOf(currency: string): number {
  return EXPONENTS[currency] ?? 2;
}
