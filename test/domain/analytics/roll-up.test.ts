import { aRating } from '../../models/analytics-rows.ts';
import { fc, test as check } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { dateIn } from '../../../src/domain/analytics/local-date.ts';
import {
  additionsOfEnd,
  additionsOfEvent,
  additionsOfOffer,
  additionsOfRating,
  type Addition,
} from '../../../src/domain/analytics/roll-up.ts';
import { figuresOf, sumsOfSpan } from '../../../src/domain/analytics/spans.ts';
import { mergeSums } from '../../../src/domain/analytics/sums.ts';
import { newId } from '../../../src/domain/ids.ts';
import { aCourier, aDelivery, anOffer, aStop, heldBy, NOON } from '../../builders.ts';
import { charged } from '../../money/charges/charged.ts';

const MINUTE = 60_000;
const RULES = { zones: { vendor: 'Pacific/Auckland', location: 'America/Los_Angeles' }, promiseMs: 60 * MINUTE };
const courier = aCourier();
const locationId = newId('loc');

/** Delivered 30 minutes after noon: ready after 5, waited for from 8 to 10, collected at 10. */
function delivered(over: Parameters<typeof aDelivery>[0] = {}) {
  const times = {
    assignedAt: NOON + 2 * MINUTE,
    readyAt: NOON + 5 * MINUTE,
    arrivedPickupAt: NOON + 8 * MINUTE,
    pickedUpAt: NOON + 10 * MINUTE,
    deliveredAt: NOON + 30 * MINUTE,
  };
  const dropOffs = [aStop(1, { state: 'delivered', doneAt: NOON + 30 * MINUTE })];
  return heldBy(courier, 'delivered', {
    dropOffs,
    locationId,
    metadata: { category: 'Food' },
    funds: charged(450),
    ...over,
    times,
  });
}

function rowOf(additions: readonly Addition[], subject: string, owner: string): Addition | undefined {
  return additions.find(({ key }) => key.subject === subject && key.scope.endsWith(owner));
}

check.prop([fc.array(fc.integer({ min: 1000, max: 30 * 24 * 3_600_000 }), { minLength: 1, maxLength: 300 })])(
  '[N1] counts and means of spans are exact, and percentiles are within 5 % of the nearest rank',
  (spans) => {
    const figures = figuresOf(mergeSums(spans.map((ms) => sumsOfSpan('wait', ms))), 'wait');
    const sorted = spans.toSorted((a, b) => a - b);
    const exact = (share: number): number => (sorted[Math.ceil(share * sorted.length) - 1] ?? NaN) / 1000;
    expect(figures.count).toBe(spans.length);
    expect(figures.meanS).toBeCloseTo(spans.reduce((sum, ms) => sum + ms, 0) / spans.length / 1000, 6);
    expect(Math.abs((figures.p50S ?? NaN) / exact(0.5) - 1)).toBeLessThan(0.05);
    expect(Math.abs((figures.p90S ?? NaN) / exact(0.9) - 1)).toBeLessThan(0.05);
  },
);

test('[N1] spans below a second have no percentile of their own, and no span gives no figures', () => {
  expect(figuresOf(mergeSums([sumsOfSpan('wait', 0), sumsOfSpan('wait', -5)]), 'wait')).toMatchObject({
    meanS: 0,
    p50S: 0.5,
  });
  expect(figuresOf({}, 'wait')).toEqual({ count: 0, meanS: null, p50S: null, p90S: null });
});

test('[N2] the platform counts by UTC, the vendor by its time zone, and the location by its own', () => {
  const at = Date.parse('2026-01-06T03:00:00Z');
  const delivery = delivered();
  const later = { ...delivery, times: { ...delivery.times, deliveredAt: at } };
  const rows = additionsOfEnd(later, { ...RULES, zones: { ...RULES.zones, vendor: 'Asia/Tokyo' } });
  expect(rowOf(rows, 'endings', 'platform')?.key).toMatchObject({ date: '2026-01-06', part: 'Food|EUR' });
  expect(rowOf(rows, 'endings', locationId)?.key.date).toBe('2026-01-05');
  const evening = additionsOfEnd(delivery, RULES);
  expect(rowOf(evening, 'endings', delivery.vendorId)?.key.date).toBe('2026-01-06');
  expect(rowOf(evening, 'places', delivery.vendorId)?.key).toMatchObject({
    date: '2026-01-06',
    part: `${locationId}|EUR`,
  });
  expect(rowOf(evening, 'courier', courier.id)?.key.date).toBe('2026-01-05');
  const rating = aRating({ vendorId: delivery.vendorId, locationId, zones: RULES.zones });
  const dates = additionsOfRating(rating, null).map(({ key }) => key.date);
  expect(dates.filter((date) => !date.includes('/'))).toEqual(['2026-01-05', '2026-01-06', '2026-01-05', '2026-01-05']);
});

test.each([
  ['2026-03-29T00:59:59Z', '2026-03-29'],
  ['2026-03-29T21:59:59Z', '2026-03-29'],
  ['2026-03-29T22:00:00Z', '2026-03-30'],
  ['2026-10-25T22:59:59Z', '2026-10-25'],
  ['2026-10-25T23:00:00Z', '2026-10-26'],
])('[N2] on the days when the clocks of Berlin change, %s is on %s', (at, date) => {
  expect(dateIn('Europe/Berlin', Date.parse(at))).toBe(date);
});

test('[N3] a delivered delivery counts its charge, its spans and whether it was on time', () => {
  const sums = rowOf(additionsOfEnd(delivered(), RULES), 'endings', 'platform')?.sums ?? {};
  expect(sums).toMatchObject({ delivered: 1, charged: 450, on_time: 1 });
  expect(sums).toMatchObject({ preparation_ms: 5 * MINUTE, wait_ms: 2 * MINUTE, transit_ms: 20 * MINUTE });
  const late = additionsOfEnd(delivered(), { ...RULES, promiseMs: 29 * MINUTE });
  expect(rowOf(late, 'courier', courier.id)?.sums).toMatchObject({ delivered: 1, completion_ms: 28 * MINUTE });
  expect(rowOf(late, 'endings', 'platform')?.sums['on_time']).toBe(0);
});

test('[N3] a window decides whether a drop-off was on time', () => {
  const window = { readyAt: null, deadlineAt: NOON + 29 * MINUTE };
  const dropOffs = [aStop(1, { state: 'delivered', doneAt: NOON + 30 * MINUTE, window })];
  expect(rowOf(additionsOfEnd(delivered({ dropOffs }), RULES), 'endings', 'platform')?.sums['on_time']).toBe(0);
});

test('[N4] a canceled or failed delivery counts its caller, its reason and what it was charged', () => {
  const times = { canceledAt: NOON };
  const canceled = aDelivery({ state: 'canceled', times, ending: { by: 'vendor', reason: 'customer_request' } });
  const sums = rowOf(additionsOfEnd(canceled, RULES), 'endings', 'platform')?.sums;
  expect(sums).toEqual({ canceled: 1, 'canceled/by/vendor': 1, 'canceled/why/customer_request': 1 });
  const costly = aDelivery({ state: 'canceled', times, funds: charged(112) });
  expect(rowOf(additionsOfEnd(costly, RULES), 'endings', 'platform')?.sums).toMatchObject({
    canceled: 1,
    charged: 112,
  });
  const odd = aDelivery({ state: 'canceled', times, ending: { by: 'staff', reason: '$where.x' } });
  expect(rowOf(additionsOfEnd(odd, RULES), 'endings', 'platform')?.sums).toHaveProperty(['canceled/why/other'], 1);
});

test('[N4] a cancellation counts against its courier only if the courier was late', () => {
  const ended = (reason: string) =>
    heldBy(courier, 'canceled', { times: { canceledAt: NOON }, ending: { by: 'vendor', reason } });
  expect(rowOf(additionsOfEnd(ended('courier_late'), RULES), 'courier', courier.id)?.sums).toEqual({ lost: 1 });
  expect(rowOf(additionsOfEnd(ended('duplicate'), RULES), 'courier', courier.id)).toBeUndefined();
});

test('[N5] a return is counted apart, and an open delivery is not counted', () => {
  const back = additionsOfEnd(delivered({ kind: 'return' }), RULES);
  expect(back.map(({ key, sums }) => [key.subject, sums])).toEqual(
    Array.from({ length: 3 }, () => ['endings', { return_delivered: 1 }]),
  );
  expect(additionsOfEnd(heldBy(courier, 'in_transit'), RULES)).toEqual([]);
});

test('[N6] an offer counts once a phone has shown it', () => {
  const shown = anOffer({ state: 'declined', deliveredAt: NOON, closedAt: NOON });
  expect(additionsOfOffer(shown)).toMatchObject([{ key: { subject: 'conduct' }, sums: { shown: 1, declined: 1 } }]);
  const answered = anOffer({ state: 'accepted', deliveredAt: null, closedAt: NOON });
  expect(additionsOfOffer(answered)).toMatchObject([{ sums: { shown: 1, accepted: 1 } }]);
  expect(additionsOfOffer({ ...shown, state: 'expired', deliveredAt: null })).toEqual([]);
});

test.each([
  ['courier', 1],
  ['system', 1],
  ['vendor', 1],
  ['staff', 0],
] as const)('[N6] a delivery that the %s takes from its courier counts %s times', (type, count) => {
  const card = { id: courier.id, first_name: 'Grace', vehicle_type: 'scooter' } as const;
  const data = { from: 'assigned', to: 'searching', stage: null, actor: { type }, courier: card } as const;
  const event = {
    type: 'courier.unassigned',
    data,
    created_at: new Date(NOON).toISOString(),
    delivery_id: newId('del'),
  } as const;
  expect(additionsOfEvent(event).map(({ sums }) => sums)).toEqual(count === 0 ? [] : [{ released: 1 }]);
});

test('[N7] a changed rating adds the difference', () => {
  const rating = aRating({ stars: 2, comment: null });
  const [row] = additionsOfRating(rating, { stars: 5, comment: 'Great' });
  expect(row?.sums).toEqual({ rated: 0, stars: -3, comments: -1 });
  expect(additionsOfRating(rating, null)[0]?.sums).toEqual({ rated: 1, stars: 2, comments: 0 });
});
