import { describe, expect, test, vi } from 'vitest';
import type { Endpoint } from '../../../src/http/endpoint.ts';
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
const AT_ONCE = 13;

/** Every body with one part changed. If the schema refuses several for the same reason, only the first is there. */
function changedBodies({ route, body }: Endpoint): string[] {
  const sound = SOUND[route]?.();
  const known = new Set<string>();
  const changed = placesOf(sound).flatMap((place) => NASTY.map((part) => JSON.stringify(replaced(sound, place, part))));
  return changed.filter((raw) => {
    const issues = body?.safeParse(JSON.parse(raw)).error?.issues;
    if (issues === undefined) return true;
    const reason = JSON.stringify(issues.map(({ code, message, path }) => [code, message, typeof path.at(-1)]));
    const isNew = !known.has(reason);
    known.add(reason);
    return isNew;
  });
}

describe.each(writing.map((row) => [row.route, row] as const))('%s', (_route, row) => {
  test('[H34] no change to a part of a body leads to an internal error or an invalid problem', async () => {
    const ask = askedBy(row);
    const bodies = changedBodies(row);
    for (let from = 0; from < bodies.length; from += AT_ONCE) {
      const answers = await Promise.all(bodies.slice(from, from + AT_ONCE).map(ask));
      expect(answers.filter(({ wrong }) => wrong !== null)).toEqual([]);
    }
  });
});
