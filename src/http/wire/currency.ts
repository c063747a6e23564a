import { z } from 'zod';

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const LETTERS = 'must be three upper-case letters of ISO 4217, such as EUR';

/** A currency that the runtime knows. */
export const CurrencyBody = z
  .string(LETTERS)
  .regex(/^[A-Z]{3}$/, LETTERS)
  .refine((code) => CURRENCIES.has(code), 'must be a currency of ISO 4217, such as EUR');
