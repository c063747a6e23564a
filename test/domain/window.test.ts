import { expect, test } from 'vitest';
import { factsOf } from '../../src/domain/deliveries/guards.ts';
import { step } from '../../src/domain/deliveries/lifecycle.ts';
import { judgeWindows } from '../../src/domain/window.ts';
import { offsetBy } from '../../src/domain/geo/geo.ts';
import { STREET_FACTOR } from '../../src/domain/geo/street.ts';
import { aDelivery, aLocation, aStop, CENTER, NOON } from '../builders.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const PICKUP = { readyAt: NOON + 60 * MINUTE, deadlineAt: NOON + 70 * MINUTE };

test('[L12] the windows of a scheduled delivery: ready within 30 days, ten and twenty minutes wide, in order', () => {
  const judge = (pickup: Parameters<typeof judgeWindows>[0], dropOff: Parameters<typeof judgeWindows>[0] = null) =>
    judgeWindows(pickup, [dropOff], NOON)?.code ?? null;
  expect(judge(PICKUP)).toBeNull();
  expect(judge(null)).toBe('impossible_value');
  expect(judge({ readyAt: null, deadlineAt: NOON + DAY })).toBe('impossible_value');
  expect(judge({ readyAt: NOON + 30 * DAY, deadlineAt: null })).toBeNull();
  expect(judge({ readyAt: NOON + 30 * DAY + 1, deadlineAt: null })).toBe('pickup_ready_too_late');
  expect(judge({ ...PICKUP, deadlineAt: PICKUP.deadlineAt - 1 })).toBe('pickup_window_too_small');
  expect(judge({ readyAt: NOON - 10 * MINUTE, deadlineAt: NOON })).toBe('pickup_deadline_too_early');
  expect(judge(PICKUP, { readyAt: PICKUP.deadlineAt, deadlineAt: PICKUP.deadlineAt + 20 * MINUTE })).toBeNull();
  expect(judge(PICKUP, { readyAt: PICKUP.deadlineAt + 1, deadlineAt: null })).toBe(
    'drop_off_ready_after_pickup_deadline',
  );
  expect(judge(PICKUP, { readyAt: null, deadlineAt: PICKUP.deadlineAt - 1 })).toBe(
    'drop_off_deadline_before_pickup_deadline',
  );
  expect(judge(PICKUP, { readyAt: PICKUP.deadlineAt, deadlineAt: PICKUP.deadlineAt + 19 * MINUTE })).toBe(
    'drop_off_window_too_small',
  );
});

test('[L13] a delivery starts within reach, from an open location, with goods that are ready within 30 days', () => {
  const create = (over: Parameters<typeof aDelivery>[0], more: Parameters<typeof factsOf>[3] = {}) => {
    const born = aDelivery(over);
    const found = step(null, 'create', 'vendor', factsOf(null, born, NOON, more));
    return found.ok ? found.row.to : (found.told.reason ?? found.code);
  };
  expect(create({})).toBe('searching');
  // The way along streets may be longer than the estimate.
  const far = (metres: number) => ({ distanceM: 50_000, dropOffs: [aStop(1, { place: offsetBy(CENTER, metres, 0) })] });
  expect(create(far(40_000 / STREET_FACTOR - 5), { maxDistanceM: 40_000 })).toBe('searching');
  expect(create(far(40_000 / STREET_FACTOR + 5), { maxDistanceM: 40_000 })).toBe('distance_too_long');
  expect(create({}, { location: aLocation({ isReady: false }) })).toBe('location_not_ready');
  const window = { readyAt: NOON + 31 * DAY, deadlineAt: null };
  expect(create({ pickup: aStop(0, { window }) })).toBe('pickup_ready_too_late');
});

test('[L13] a scheduled delivery may wait for a location that is closed now', () => {
  const born = aDelivery({ priority: 'scheduled', pickup: aStop(0, { window: PICKUP }) });
  const facts = factsOf(null, born, NOON, { location: aLocation({ isReady: false }) });
  expect(step(null, 'schedule', 'vendor', facts)).toMatchObject({ ok: true });
});

test('[L19] every window starts and ends within 30 days, also for an immediate delivery', () => {
  const create = (over: Parameters<typeof aDelivery>[0], verb: 'create' | 'schedule' = 'create') => {
    const born = aDelivery(over);
    const found = step(null, verb, 'vendor', factsOf(null, born, NOON));
    return found.ok ? null : [found.code, found.told.errors?.[0]?.pointer];
  };
  const late = { readyAt: null, deadlineAt: NOON + 30 * DAY + 1 };
  expect(create({ dropOffs: [aStop(1, { window: { ...late, deadlineAt: NOON + 30 * DAY } })] })).toBeNull();
  expect(create({ dropOffs: [aStop(1), aStop(2, { window: late })] })).toEqual([
    'window_too_late',
    '/drop_off/1/window/deadline_at',
  ]);
  expect(create({ pickup: aStop(0, { window: late }) })).toEqual(['window_too_late', '/pickup/window/deadline_at']);
  const opens = { readyAt: NOON + 31 * DAY, deadlineAt: null };
  expect(create({ dropOffs: [aStop(1, { window: opens })] })?.[1]).toBe('/drop_off/0/window/ready_at');
  const pickup = aStop(0, { window: { readyAt: NOON + DAY, deadlineAt: NOON + 31 * DAY } });
  expect(create({ pickup, dropOffs: [aStop(1)] }, 'schedule')?.[0]).toBe('window_too_late');
});

test('[L21] every window ends later than now, also for an immediate delivery', () => {
  const create = (over: Parameters<typeof aDelivery>[0]) => {
    const found = step(null, 'create', 'vendor', factsOf(null, aDelivery(over), NOON));
    return found.ok ? null : [found.code, found.told.errors?.[0]?.pointer, found.told.detail];
  };
  const until = (deadlineAt: number) => ({ window: { readyAt: NOON - DAY, deadlineAt } });
  expect(create({ pickup: aStop(0, until(NOON + 1)), dropOffs: [aStop(1, until(NOON + 1))] })).toBeNull();
  const late = 'is 2026-01-05T12:00:00.000Z, but must be later than now, which is 2026-01-05T12:00:00.000Z.';
  const [pickup, second] = ['/pickup/window/deadline_at', '/drop_off/1/window/deadline_at'];
  expect(create({ pickup: aStop(0, until(NOON)) })).toEqual([
    'pickup_deadline_too_early',
    pickup,
    `\`${pickup}\` ${late}`,
  ]);
  const dropOffs = [aStop(1), aStop(2, until(NOON))];
  expect(create({ dropOffs })).toEqual(['impossible_value', second, `\`${second}\` ${late}`]);
});

test('[L22] a drop-off of an immediate delivery ends later than its goods are ready', () => {
  const create = (deadlineAt: number) => {
    const pickup = aStop(0, { window: { readyAt: NOON + DAY, deadlineAt: null } });
    const dropOffs = [aStop(1), aStop(2, { window: { readyAt: null, deadlineAt } })];
    const found = step(null, 'create', 'vendor', factsOf(null, aDelivery({ pickup, dropOffs }), NOON));
    return found.ok ? null : [found.code, found.told.errors?.[0]?.pointer, found.told.detail];
  };
  const pointer = '/drop_off/1/window/deadline_at';
  const ready = '2026-01-06T12:00:00.000Z';
  const detail = `\`${pointer}\` is ${ready}, but must be later than the goods are ready, which is at ${ready}.`;
  expect(create(NOON + DAY)).toEqual(['impossible_value', pointer, detail]);
  expect(create(NOON + DAY + 1)).toBeNull();
});
