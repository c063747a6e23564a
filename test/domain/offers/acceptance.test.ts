import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  acceptanceIn,
  answerOf,
  BAND_NAMES,
  bandOf,
  fadeOver,
  HALF_LIFE_MS,
  type AcceptanceRecord,
  type Band,
} from '../../../src/domain/offers/acceptance.ts';
import { anOffer, NOON } from '../../builders.ts';

const record = (bands: AcceptanceRecord['bands'], at = NOON): AcceptanceRecord => ({ at, bands });
const chance = (bands: AcceptanceRecord['bands'], band: Band, now = NOON): number =>
  acceptanceIn(record(bands), band, now);

const tally = fc
  .tuple(fc.double({ min: 0, max: 1000, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([asked, share]) => ({ asked, accepted: asked * share }));
const bands = fc.record(Object.fromEntries(BAND_NAMES.map((name) => [name, tally])) as Record<Band, typeof tally>, {
  requiredKeys: [],
}) as fc.Arbitrary<AcceptanceRecord['bands']>;

test('[O20] a courier without answers is assumed to accept four offers in five, near and far', () => {
  for (const band of BAND_NAMES) {
    expect(acceptanceIn(undefined, band, NOON)).toBe(0.8);
    expect(chance({}, band)).toBeCloseTo(0.8, 12);
  }
});

test('[O20] the bands end below 1, 3 and 6 km', () => {
  const ways = [0, 999.9, 1000, 2999, 3000, 5999, 6000, 50_000, Infinity];
  expect(ways.map(bandOf)).toEqual([
    'km_0_1',
    'km_0_1',
    'km_1_3',
    'km_1_3',
    'km_3_6',
    'km_3_6',
    'km_6_up',
    'km_6_up',
    'km_6_up',
  ]);
});

test('[O20] a band is smoothed towards the others, and those towards 0.8, each with the weight of five answers', () => {
  const answers = { km_0_1: { asked: 10, accepted: 9 }, km_6_up: { asked: 5, accepted: 0 } };
  // No answers in this band: all their answers, 9 of 15, and five times 0.8.
  expect(chance(answers, 'km_1_3')).toBeCloseTo((5 * 0.8 + 9) / (5 + 15), 12);
  // None of five in this band, and five times the result of the near ones.
  expect(chance(answers, 'km_6_up')).toBeCloseTo((5 * ((5 * 0.8 + 9) / (5 + 10)) + 0) / (5 + 5), 12);
  // 9 of 10 in this band, and five times the result of the far ones.
  expect(chance(answers, 'km_0_1')).toBeCloseTo((5 * ((5 * 0.8 + 0) / (5 + 5)) + 9) / (5 + 10), 12);
});

test('[O20] far offers that were all declined leave the near ones above the far ones', () => {
  const answers = { km_0_1: { asked: 20, accepted: 18 }, km_6_up: { asked: 20, accepted: 0 } };
  expect(chance(answers, 'km_0_1')).toBeGreaterThan(0.75);
  expect(chance(answers, 'km_6_up')).toBeLessThan(0.2);
});

test('[O20] the probability lies between 0 and 1, whatever the answers', () => {
  const property = fc.property(bands, fc.constantFrom(...BAND_NAMES), fc.nat(), (answers, band, ms) => {
    const told = chance(answers, band, NOON + ms);
    expect(told > 0 && told < 1).toBe(true);
  });
  fc.assert(property, { numRuns: 300 });
});

test('[O21] one more yes in any band lowers nothing, and one more no raises nothing', () => {
  const band = fc.constantFrom(...BAND_NAMES);
  const property = fc.property(bands, band, band, (answers, asked, looked) => {
    const before = chance(answers, looked);
    const { asked: count, accepted } = answers[asked] ?? { asked: 0, accepted: 0 };
    const yes = { ...answers, [asked]: { asked: count + 1, accepted: accepted + 1 } };
    const no = { ...answers, [asked]: { asked: count + 1, accepted } };
    expect(chance(yes, looked)).toBeGreaterThanOrEqual(before - 1e-12);
    expect(chance(no, looked)).toBeLessThanOrEqual(before + 1e-12);
  });
  fc.assert(property, { numRuns: 300 });
});

test('[O21] an answer weighs half after 14 days, and in the end the courier counts as one without answers', () => {
  expect(HALF_LIFE_MS).toBe(14 * 86_400_000);
  expect(fadeOver(HALF_LIFE_MS)).toBe(0.5);
  const answers = { km_0_1: { asked: 40, accepted: 0 } };
  const halved = { km_0_1: { asked: 20, accepted: 0 } };
  expect(chance(answers, 'km_0_1', NOON + HALF_LIFE_MS)).toBeCloseTo(chance(halved, 'km_0_1'), 12);
  expect(chance(answers, 'km_0_1', NOON + 40 * HALF_LIFE_MS)).toBeCloseTo(0.8, 6);
  // A clock that is behind the writer's does not double any weight.
  expect(chance(answers, 'km_0_1', NOON - HALF_LIFE_MS)).toBe(chance(answers, 'km_0_1'));
});

test('[O22] an accepted offer is a yes; a declined one, or one that a phone showed until it expired, is a no', () => {
  const closed = { closedAt: NOON + 9000, distanceM: 1200 } as const;
  const told = (over: Parameters<typeof anOffer>[0]): boolean | undefined => answerOf(anOffer(over))?.isYes;
  expect(told({ ...closed, state: 'accepted', deliveredAt: NOON })).toBe(true);
  expect(told({ ...closed, state: 'declined', deliveredAt: NOON })).toBe(false);
  expect(told({ ...closed, state: 'expired', deliveredAt: NOON })).toBe(false);
  // An answer itself proves that a phone showed the offer.
  expect(told({ ...closed, state: 'accepted' })).toBe(true);
  expect(told({ ...closed, state: 'declined' })).toBe(false);
});

test('[O22] an offer that was withdrawn, never shown, or made at an unknown distance says nothing', () => {
  const closed = { closedAt: NOON + 9000, deliveredAt: NOON } as const;
  expect(answerOf(anOffer({ ...closed, state: 'withdrawn' }))).toBeNull();
  expect(answerOf(anOffer({ ...closed, state: 'expired', deliveredAt: null }))).toBeNull();
  expect(answerOf(anOffer({ ...closed, state: 'declined', distanceM: null }))).toBeNull();
  expect(answerOf(anOffer())).toBeNull();
});
