import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { refuseFaults } from '../../../src/http/bodies/json-faults.ts';

/** Pieces of JSON, and pieces that only look so. */
// oxfmt-ignore
const PIECES = [
  '{', '}', '[', ']', ':', ',', ' ', '\n', '\r', '\t', '"a"', '"\\u00e9"', '"\\ud800"', '"\\/\\b"', '"\u2028"', '"\x7f"', 'true', 'null',
  '0', '-0', '1.5', '1E+5', '1e-400', '01', '.5', '1.', '-', '+1', 'NaN', 'tru', '"', '\\', '"\\x"', '"\\u12"', '"\t"', '\uFEFF', '\v',
  '\u00A0', '/', '//', '/**/', "'a'",
];

const pieces = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 }).map((some) => some.join(''));
const spoilt = fc.tuple(fc.json(), fc.nat(), fc.nat(1), pieces).map(([json, at, dropped, piece]) => {
  const place = at % (json.length + 1);
  return json.slice(0, place) + piece + json.slice(place + dropped);
});

/** The code of the refusal of a text; null if it is not refused. */
function codeOf(text: string): string | null {
  try {
    refuseFaults(text);
    return null;
  } catch (error) {
    return error instanceof Refusal ? error.code : String(error);
  }
}

test('[H550] exactly those bodies that the parser cannot read are refused before it reads them', () => {
  const check = (text: string): void => {
    let isJson = true;
    try {
      JSON.parse(text);
    } catch {
      isJson = false;
    }
    // An object of the text may have a name twice.
    expect([text, codeOf(text) === 'malformed_body']).toEqual([text, !isJson]);
  };
  for (const texts of [pieces, spoilt, fc.json()]) fc.assert(fc.property(texts, check), { numRuns: 2000 });
  expect(codeOf('')).toBeNull();
});
