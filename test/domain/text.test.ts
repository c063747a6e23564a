import { expect, test } from 'vitest';
import { ActBody, HandoverBody } from '../../src/domain/couriers/courier-actions.ts';
import { proseOf, textOf } from '../../src/domain/text.ts';
import { CustomBody } from '../../src/http/wire/deliveries/delivery.ts';
import { InstructionsBody } from '../../src/http/wire/place.ts';
import { TopUpBody } from '../../src/http/wire/wallets/top-up.ts';
import { WebhookEditBody } from '../../src/http/wire/webhooks/webhook.ts';
import { ProfileBody } from '../../src/http/wire/vendors/vendor.ts';

/** The texts of a vendor, a courier and a recipient, as their bodies parse them. */
const TEXTS: readonly [string, (text: string) => boolean][] = [
  ['a line', (text) => textOf(50).safeParse(text).success],
  ['prose', (text) => proseOf(50).safeParse(text).success],
  ['instructions', (text) => InstructionsBody.safeParse(text).success],
  ['the reason of an action', (text) => ActBody.safeParse({ override_reason: text }).success],
  ['a barcode', (text) => HandoverBody.safeParse({ proof: { barcodes: [text] } }).success],
  ['a receiver', (text) => WebhookEditBody.safeParse({ url: `https://a.example/${text}` }).success],
  ['a page of return', (text) => TopUpBody.safeParse({ amount: 1, return_url: `https://a.example/${text}` }).success],
  ['a website', (text) => ProfileBody.safeParse({ website: `https://a.example/${text}` }).success],
];

test.each(TEXTS)('[H513] %s has no control character and no half of a character', (_, takes) => {
  for (const sound of ['Straße-17', 'שלום', '\u200fمرحبا', '👩\u200d🚒', 'e\u0301'])
    expect([sound, takes(sound)]).toEqual([sound, true]);
  for (const wrong of ['\0', '\u001b', '\u0085', '\ud800', '\udc00'])
    expect([wrong, takes(`a${wrong}b`)]).toEqual([wrong, false]);
});

test('[H513] characters that turn the direction of text are removed, and nothing may be left of a line', () => {
  for (const turn of ['\u202a', '\u202e', '\u2066', '\u2069'])
    expect([textOf(9).parse(`${turn} a${turn}b`), proseOf(9).parse(`a\n${turn}b${turn}`)]).toEqual(['ab', 'a\nb']);
  expect(textOf(9).safeParse('\u202e \u202c').success).toBe(false);
  expect(proseOf(9).parse('\u202e \u202c')).toBe('');
});

test('[H513] prose may have tabs and several lines, and own data stays as it is', () => {
  const act = (reason: string) => ActBody.safeParse({ override_reason: reason });
  expect(act('no satellites\nunder the bridge').data).toEqual({ override_reason: 'no satellites\nunder the bridge' });
  for (const blank of ['', ' \n', '\u202e']) expect(act(blank).success).toBe(false);
  expect(proseOf(9).parse(' a\r\n\tb ')).toBe('a\r\n\tb');
  expect(textOf(9).safeParse('a\nb').success).toBe(false);
  const note = ' a\r\n\u001d\u202eb ';
  expect(CustomBody.parse({ note })).toMatchObject({ note });
  for (const half of ['\ud800', 'a\udc00']) expect(CustomBody.safeParse({ note: half }).success).toBe(false);
});
