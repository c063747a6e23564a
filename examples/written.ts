// Writes the amounts of the examples. Amounts are whole numbers of minor units, and the currency says how many digits they have.
// `Intl` has other digits for some currencies, so this table is that of ISO 4217.

/** Currencies whose minor units do not have two digits. */
const DIGITS: Readonly<Record<string, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

/** Writes an amount with its currency: 1250 and EUR are `12.50 EUR`. */
export function written(amount: number, currency: string): string {
  const [digits = '2'] = Object.keys(DIGITS).filter((each) => DIGITS[each]?.includes(currency));
  return `${(amount / 10 ** Number(digits)).toFixed(Number(digits))} ${currency}`;
}
