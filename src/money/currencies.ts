import { exponentOf } from '../domain/currency-digits.ts';
import { amountOf, type Amount } from './amount.ts';

/** The largest amount that people may write, minor units. A thousand of them still sum to a safe integer. */
const MOST = 1_000_000_000_000;

/**
 * Reads an amount that a person wrote in major units, such as `-12.50`. It must have exactly the digits of the currency.
 * @returns minor units; null if it is written in another way, is zero or exceeds 10^12 minor units
 */
export function readAmount(text: string, currency: string): Amount | null {
  const digits = exponentOf(currency);
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d{1,13})(?:\.(\d{1,4}))?$/.exec(text) ?? [];
  if (whole === '' || fraction.length !== digits) return null;
  const size = Number(`${whole}${fraction}`);
  return size === 0 || size > MOST ? null : amountOf(sign === '-' ? -size : size);
}

/**
 * Reads an amount in major units as gateways write it: digits may be missing, as in `12.5`. Nothing is rounded.
 * @returns minor units; null if it is written in another way, is negative, or has a fraction of a minor unit
 */
export function readMajor(text: string, currency: string): Amount | null {
  const digits = exponentOf(currency);
  const [, whole = '', fraction = ''] = /^(\d{1,13})(?:\.(\d+))?$/.exec(text) ?? [];
  const [minor, rest] = [fraction.slice(0, digits).padEnd(digits, '0'), fraction.slice(digits)];
  if (whole === '' || /[1-9]/.test(rest)) return null;
  const size = Number(`${whole}${minor}`);
  return Number.isSafeInteger(size) ? amountOf(size) : null;
}

/** Writes an amount in major units, with all digits of the currency. */
export function writeAmount(amount: Amount, currency: string): string {
  const digits = exponentOf(currency);
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const [whole, fraction] = [text.slice(0, text.length - digits), text.slice(text.length - digits)];
  return `${amount < 0 ? '-' : ''}${whole}${digits === 0 ? '' : `.${fraction}`}`;
}

/** Signs of currencies. Any other one is written with its code. */
const SYMBOLS: Readonly<Record<string, string>> = { EUR: '€', GBP: '£', GHS: 'GH₵', NGN: '₦', USD: '$' };

/** The sign of a currency, or its code if it has none. */
export function symbolOf(currency: string): string {
  return SYMBOLS[currency] ?? currency;
}

/** Writes an amount in major units, with a comma between thousands: `-1,450.00`. */
export function groupedAmount(amount: Amount, currency: string): string {
  return writeAmount(amount, currency).replaceAll(/(?<!\..*)(?<=\d)(?=(\d{3})+(?!\d))/g, ',');
}

/** Writes an amount with the sign of its currency: `-₦1,450.00`. */
export function shownAmount(amount: Amount, currency: string): string {
  const size = groupedAmount(amountOf(Math.abs(amount)), currency);
  const symbol = symbolOf(currency);
  return `${amount < 0 ? '-' : ''}${symbol}${symbol === currency ? ' ' : ''}${size}`;
}
