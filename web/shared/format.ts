import { exponentOf } from '../../src/domain/currency-digits.ts';

/** Formats numbers and times for the reader. The locale is that of the browser, unless a test sets another one. */
type Locale = string | undefined;

const MINUTE_MS = 60_000;
/** Spaces at which a line may break: common ones, and the thin ones that browsers write around the dash of a range. */
const BREAKABLE = /[ \u2009]/gu;
const METRES_PER_MILE = 1609.344;
const COUNTRIES_OF_MILES = ['US', 'GB', 'LR', 'MM'];

/** A time of day as the locale writes it, with or without a leading zero: `12:40` */
export function formatTime(ms: number, locale?: Locale): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(ms);
}

/** The day of a moment: `tomorrow`, `yesterday` or `Wed 7 Jan`; null for today. */
export function formatOtherDay(ms: number, nowMs: number, locale?: Locale): string | null {
  const days = Math.round((dayOf(ms) - dayOf(nowMs)) / 86_400_000);
  if (days === 0) return null;
  if (Math.abs(days) === 1) return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day');
  return new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short' }).format(ms);
}

/** A time on its day: `12:40` today, otherwise `tomorrow, 12:40` or `Wed 7 Jan, 12:40`. */
export function formatWhen(ms: number, nowMs: number, locale?: Locale): string {
  return onDay(formatTime(ms, locale), ms, nowMs, locale);
}

/**
 * A range of times, widened to whole minutes so that it does not promise too much: `12:40 – 12:48`, `tomorrow, 12:40 – 12:48`,
 * or `23:50 – tomorrow, 00:10`.
 */
export function formatRangeWhen(fromMs: number, toMs: number, nowMs: number, locale?: Locale): string {
  const from = Math.floor(fromMs / MINUTE_MS) * MINUTE_MS;
  const to = Math.ceil(toMs / MINUTE_MS) * MINUTE_MS;
  // The browser would write both dates in digits.
  if (dayOf(from) !== dayOf(to)) return `${formatWhen(from, nowMs, locale)}\u00a0– ${formatWhen(to, nowMs, locale)}`;
  const range = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).formatRange(from, to);
  const breaksAfterDash = range.replaceAll(BREAKABLE, '\u00a0').replace('–\u00a0', '– ');
  return onDay(breaksAfterDash, from, nowMs, locale);
}

function onDay(time: string, ms: number, nowMs: number, locale?: Locale): string {
  const day = formatOtherDay(ms, nowMs, locale);
  return day === null ? time : `${day}, ${time}`;
}

/** Midnight of the reader's day in UTC, where all days have the same length. */
function dayOf(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
}

/** `5 Jan, 12:40` */
export function formatDayTime(ms: number, locale?: Locale): string {
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }).format(ms);
  return `${day}, ${formatTime(ms, locale)}`;
}

/** A date without a time, such as `2031-05-31`, as `31 May 2031`. */
export function formatDate(day: string, locale?: Locale): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(day));
}

/** `850 m`, `2.4 km` or, in countries with miles, `150 ft` and `1.5 mi`. */
export function formatDistance(metres: number, locale?: Locale): string {
  const isMiles = readsMiles(locale);
  if (isMiles && metres < METRES_PER_MILE / 10) return withUnit(Math.round(metres / 3.048) * 10, 'foot', 0, locale);
  if (isMiles) return withUnit(metres / METRES_PER_MILE, 'mile', metres < 16_000 ? 1 : 0, locale);
  if (metres < 995) return withUnit(Math.round(metres / 10) * 10, 'meter', 0, locale);
  return withUnit(metres / 1000, 'kilometer', metres < 10_000 ? 1 : 0, locale);
}

/** `45 s`, `12 min`, `2 h 5 min`, `3 days` */
export function formatSpan(seconds: number, locale?: Locale): string {
  if (seconds < 60) return withUnit(Math.max(0, Math.round(seconds)), 'second', 0, locale);
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return withUnit(minutes, 'minute', 0, locale);
  if (minutes >= 48 * 60) return withUnit(Math.floor(minutes / (24 * 60)), 'day', 0, locale);
  const hours = withUnit(Math.floor(minutes / 60), 'hour', 0, locale);
  return minutes % 60 === 0 ? hours : `${hours} ${withUnit(minutes % 60, 'minute', 0, locale)}`;
}

/** `12 sec. ago`, `3 min. ago` */
export function formatAgo(seconds: number, locale?: Locale): string {
  const ago = new Intl.RelativeTimeFormat(locale, { numeric: 'always', style: 'short' });
  if (seconds < 60) return ago.format(-Math.round(seconds), 'second');
  return seconds < 3600
    ? ago.format(-Math.floor(seconds / 60), 'minute')
    : ago.format(-Math.floor(seconds / 3600), 'hour');
}

/** Minor units in their currency: 450 and EUR are `€4.50`. */
export function formatMoney(minor: number, currency: string, locale?: Locale): string {
  // Browsers write some currencies with fewer digits than ISO 4217, in which the server counts.
  const digits = exponentOf(currency);
  const all = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...all }).format(minor / 10 ** digits);
}

/** `1,204` */
export function formatCount(count: number, locale?: Locale): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }).format(count);
}

/** Says whether the reader's country uses miles. */
export function readsMiles(locale?: Locale): boolean {
  const named = locale ?? new Intl.NumberFormat().resolvedOptions().locale;
  return COUNTRIES_OF_MILES.includes(new Intl.Locale(named).maximize().region ?? '');
}

/** To make one takes about 0.1 ms, and a long list shows thousands of values. */
const unitFormats = new Map<string, Intl.NumberFormat>();

function withUnit(value: number, unit: string, digits: number, locale: Locale): string {
  const key = `${locale} ${unit} ${digits}`;
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits } as const;
  const format = unitFormats.get(key) ?? new Intl.NumberFormat(locale, options);
  unitFormats.set(key, format);
  return format.format(value);
}
