import { expect, test } from 'vitest';
import { written as writtenInExamples } from '../../examples/written.ts';
import { amountOf } from '../../src/money/amount.ts';
import { writeAmount } from '../../src/money/currencies.ts';
import { accentOf, contrast } from '../../web/shared/accent.ts';
import {
  formatAgo,
  formatDayTime,
  formatDistance,
  formatMoney,
  formatSpan,
  formatRangeWhen,
  formatTime,
  formatWhen,
  readsMiles,
} from '../../web/shared/format.ts';
import { glideMs, poseBetween } from '../../web/shared/glide.ts';
import { createMarks, judgeSequence } from '../../packages/client/src/sockets/marks.ts';
import { serviceTime } from '../../web/shared/service-time.ts';

test('[V1] known events are dropped, the next one is applied, and a gap is noticed', () => {
  expect(judgeSequence(4, 3)).toBe('known');
  expect(judgeSequence(4, 4)).toBe('known');
  expect(judgeSequence(4, 5)).toBe('next');
  expect(judgeSequence(4, 6)).toBe('gap');
  expect(judgeSequence(undefined, 9)).toBe('next');
});

test('[V1] marks never decrease, and the handshake contains the newest ones', () => {
  const marks = createMarks();
  marks.raise('a', 5);
  marks.raise('a', 2);
  marks.raise('b', 1);
  marks.raise('a', 6);
  expect(marks.get('a')).toBe(6);
  expect(marks.newest(1)).toEqual({ a: 6 });
  expect(marks.newest(10)).toEqual({ a: 6, b: 1 });
});

test('[V1] marks are bounded: the oldest is forgotten and counts as not seen', () => {
  const marks = createMarks();
  for (let index = 0; index <= 5000; index += 1) marks.raise(`d${index}`, 7);
  expect(marks.judge('d0', 7)).toBe('next');
  expect(marks.judge('d1', 7)).toBe('known');
});

test('[V2] distances are in km or mi, as is usual in the country', () => {
  expect(formatDistance(854, 'de-DE')).toBe('850 m');
  expect(formatDistance(2400, 'de-DE')).toBe('2,4 km');
  expect(formatDistance(2414, 'en-US')).toBe('1.5 mi');
  expect([0, 46, 160, 161].map((metres) => formatDistance(metres, 'en-GB'))).toEqual([
    '0 ft',
    '150 ft',
    '520 ft',
    '0.1 mi',
  ]);
  expect([readsMiles('en-GB'), readsMiles('en-US'), readsMiles('en-IE'), readsMiles('fr')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('[V2] spans, ages and money are written in the locale', () => {
  expect(formatSpan(45, 'en-US')).toBe('45 sec');
  expect(formatSpan(7500, 'en-US')).toBe('2 hr 5 min');
  expect(formatAgo(12, 'en-US')).toBe('12 sec. ago');
  expect(formatMoney(450, 'EUR', 'en-US')).toBe('€4.50');
  expect(formatMoney(450, 'JPY', 'en-US')).toBe('¥450');
});

test('[V2] money has the digits in which the server counts it, also where browsers write fewer', () => {
  const written = (currency: string): string => formatMoney(1_250_000, currency, 'en-US').replaceAll(/[^\d.,]/g, '');
  for (const currency of ['HUF', 'COP', 'IDR', 'PKR', 'LBP', 'MMK', 'ALL', 'EUR'])
    expect([currency, written(currency)]).toEqual([currency, '12,500.00']);
  expect([written('IQD'), written('KWD')]).toEqual(['1,250.000', '1,250.000']);
  expect([written('UYI'), written('XOF')]).toEqual(['1,250,000', '1,250,000']);
});

test('[V2] the examples write each currency with the same digits as the server', () => {
  for (const currency of ['HUF', 'UYW', ...Intl.supportedValuesOf('currency')]) {
    const amount = writeAmount(amountOf(12_345), currency);
    expect(writtenInExamples(12_345, currency)).toBe(`${amount} ${currency}`);
  }
});

test('[V2] a range is widened to whole minutes', () => {
  const noon = new Date(2026, 0, 5, 12).getTime();
  const spaces = /\s/g;
  expect(formatRangeWhen(noon + 59_000, noon + 60_001, noon, 'de-DE').replaceAll(spaces, ' ')).toMatch(
    /12:00.12:02|12:00 . 12:02/,
  );
});

test.each(['en-US', 'en-GB', 'fr'])('[V2] in %s a range breaks only after its dash', (locale) => {
  const noon = new Date(2026, 0, 5, 12).getTime();
  const linesOf = (text: string): string[] => text.split(/[ \u2009]/u);
  const lines = linesOf(formatRangeWhen(noon, noon + 180_000, noon, locale));
  expect(lines.slice(0, -1)).toEqual(lines.slice(1).map(() => expect.stringMatching(/–$/u)));
  const overnight = linesOf(formatRangeWhen(noon, noon + 86_400_000, noon, locale));
  expect(overnight).not.toContainEqual(expect.stringMatching(/^–/u));
});

test.each(['en-GB', 'de-DE', 'fr', 'es', 'en-US'])(
  '[V2] in %s all times have a leading zero, or none has',
  (locale) => {
    const early = new Date(2026, 0, 5, 3, 16).getTime();
    const written = [
      formatTime(early, locale),
      formatRangeWhen(early, early + 60_000, early, locale),
      formatDayTime(early, locale),
    ];
    expect(new Set(written.map((text) => /0?3:16/u.exec(text)?.[0])).size).toBe(1);
  },
);

test('[V2] service time is carried on at its own speed', () => {
  let machine = 1000;
  const time = serviceTime({ now: 50_000, scale: 30 }, () => machine);
  machine += 2000;
  expect(time.now()).toBe(110_000);
});

test.each(['#0b6e4f', '#ffe600', '#000000', '#ffffff', '#ff0000', 'no colour'])(
  '[V6] %s is readable on both backgrounds, and so is text on it',
  (colour) => {
    const { light, dark, onLight, onDark } = accentOf(colour);
    expect(contrast(light, '#ffffff')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(dark, '#191d21')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(light, onLight)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(dark, onDark)).toBeGreaterThanOrEqual(4.5);
  },
);

test('[V7] a marker turns in the shorter direction', () => {
  const half = poseBetween({ lat: 0, lng: 0, heading: 350 }, { lat: 2, lng: 4, heading: 30 }, 0.5);
  expect(half).toEqual({ lat: 1, lng: 2, heading: 10 });
  expect(poseBetween({ lat: 0, lng: 0, heading: 10 }, { lat: 2, lng: 4, heading: 350 }, 7).heading).toBe(350);
});

test('[V7] a glide takes the time between the fixes, within limits', () => {
  expect([glideMs(0), glideMs(900), glideMs(90_000)]).toEqual([100, 900, 5000]);
});

test('[V94] a time of another day has its day before it', () => {
  const noon = new Date(2026, 0, 5, 12, 0).getTime();
  const day = 24 * 60 * 60_000;
  const when = (days: number): string => formatWhen(noon + days * day, noon + 60_000, 'en-GB');
  expect([when(0), when(1), when(-1)]).toEqual(['12:00', 'tomorrow, 12:00', 'yesterday, 12:00']);
  expect(when(3)).toMatch(/^Thu,? 8 Jan, 12:00$/);
  expect(formatRangeWhen(noon + day, noon + day + 480_000, noon, 'en-GB')).toMatch(/^tomorrow, 12:00.12:08$/u);
  // The ends of a range across midnight have their days by themselves.
  const late = noon + 12 * 3_600_000 - 600_000;
  expect(formatRangeWhen(late, late + 1_200_000, noon, 'en-GB')).toMatch(/^23:50\s– tomorrow, 0?0:10$/u);
  expect(formatRangeWhen(late - day, late - day + 600_001, noon, 'en-GB')).toMatch(/^yesterday, 23:50\s– 0?0:01$/u);
});
