import { describe, expect, test, vi } from 'vitest';
import { openBodies, placesOf, replaced, writing } from './open-bodies.ts';
import { SOUND } from './sound-bodies.ts';

const askedBy = await openBodies('bodies');
// A test makes hundreds of requests, most of which write: a busy disk may take a second for each.
vi.setConfig({ testTimeout: 300_000 });

test('[H34] the bodies that the property starts from are valid', async () => {
  expect(writing.map(({ route }) => route).toSorted()).toEqual(Object.keys(SOUND).toSorted());
  for (const { route, body } of writing) {
    expect([route, body?.safeParse(SOUND[route]?.()).error]).toEqual([route, undefined]);
  }
});

/** Values that break careless code wherever they stand. */
const NASTY = [null, true, '', '*', '\u0000', '\ud800', 'x'.repeat(600), -1, 1e308, [], [null], {}, { $gt: '' }];

describe.each(writing.map((row) => [row.route, row] as const))('%s', (route, row) => {
  test('[H34] no change to a part of a body leads to an internal error or an invalid problem', async () => {
    const ask = askedBy(row);
    for (const place of placesOf(SOUND[route]?.())) {
      const bodies = NASTY.map((part) => JSON.stringify(replaced(SOUND[route]?.(), place, part)));
      const answers = await Promise.all(bodies.map(ask));
      expect(answers.filter(({ wrong }) => wrong !== null)).toEqual([]);
    }
  });
});
