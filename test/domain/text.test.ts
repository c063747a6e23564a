import { expect, test } from 'vitest';
import { ActBody } from '../../src/domain/couriers/courier-actions.ts';
import { exactOf, proseOf, textOf } from '../../src/domain/text.ts';
import { CustomBody } from '../../src/http/wire/deliveries/delivery.ts';
import { InstructionsBody } from '../../src/http/wire/place.ts';
import { ProfileBody } from '../../src/http/wire/vendors/vendor.ts';

/** The texts of a vendor, a courier and a recipient, as their bodies parse them. */
const TEXTS: readonly [string, (text: string) => boolean][] = [
  ['a line', (text) => textOf(50).safeParse(text).success],
  ['prose', (text) => proseOf(50).safeParse(text).success],
  ['instructions', (text) => InstructionsBody.safeParse(text).success],
  ['own data', (text) => CustomBody.safeParse({ note: text }).success],
  ['the reason of an action', (text) => ActBody.safeParse({ override_reason: text }).success],
  ['a website', (text) => ProfileBody.safeParse({ website: `https://a.example/${text}` }).success],
];

test.each(TEXTS)(
  '[H513] %s has no control character, no half of a character and no turn of its direction',
  (_, takes) => {
    for (const sound of ['Straße-17', 'שלום', '\u200fمرحبا', '👩\u200d🚒', 'e\u0301'])
      expect([sound, takes(sound)]).toEqual([sound, true]);
    const turns = ['\u202a', '\u202e', '\u2066', '\u2069'];
    for (const wrong of ['\0', '\u001b', '\u0085', '\ud800', '\udc00', ...turns]) {
      expect([wrong, takes(`a${wrong}b`)]).toEqual([wrong, false]);
    }
  },
);

test('[H513] prose and own data may have tabs and several lines, and own data keeps its blanks', () => {
  expect(proseOf(9).parse(' a\r\n\tb ')).toBe('a\r\n\tb');
  expect(exactOf(9).parse(' a\r\n\tb ')).toBe(' a\r\n\tb ');
  expect(textOf(9).safeParse('a\nb').success).toBe(false);
});
