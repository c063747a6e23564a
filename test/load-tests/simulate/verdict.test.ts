import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { judgeRefusal } from '../../../load-tests/simulate/people/act.ts';
import { parseOptions } from '../../../load-tests/simulate/options.ts';
import { verify } from '../../../load-tests/simulate/people/receiver.ts';
import type { TrueDelivery } from '../../../load-tests/simulate/figures/truth.ts';
import {
  compareSights,
  compareWebhooks,
  countDoubleAssignments,
  countHoles,
  judgeOrders,
} from '../../../load-tests/simulate/figures/verdict.ts';

const ORDER = {
  id: 'o1',
  at: { x: 0, y: 0 },
  placedMin: 10,
  readyMin: 20,
  restaurant: { id: 'r1', at: { x: 0, y: 0 } },
};
const MINUTE_MS = 60_000;

function delivery(status: string, ...types: string[]): TrueDelivery {
  const events = types.map((type, at) => ({
    id: `evt_${type}_${at}`,
    type,
    sequence: at + 1,
    createdAt: (10 + at * 8) * MINUTE_MS,
    courierId: null,
  }));
  return { deliveryId: 'del_1', order: ORDER, status, events };
}

const GOOD = delivery('delivered', 'delivery.created', 'courier.assigned', 'picked_up', 'in_transit', 'delivered');

test('[Y8] the figures of orders are taken from their histories, in minutes of the day', () => {
  const outcome = judgeOrders([GOOD, delivery('searching', 'delivery.created')], (minute) => minute * MINUTE_MS);
  expect(outcome).toMatchObject({ delivered: 1, canceled: 0, open: 1 });
  expect(outcome.clickToDoorMin.mean).toBe(32);
  expect(outcome.readyToPickupMin.mean).toBe(6);
});

test('[Y8] an assignment is a double one if a courier already has the delivery', () => {
  expect(countDoubleAssignments([GOOD])).toBe(0);
  expect(
    countDoubleAssignments([delivery('assigned', 'courier.assigned', 'courier.unassigned', 'courier.assigned')]),
  ).toBe(0);
  expect(countDoubleAssignments([delivery('assigned', 'courier.assigned', 'courier.assigned')])).toBe(1);
});

test('[Y8] a hole in a history is found', () => {
  expect(countHoles([GOOD])).toBe(0);
  expect(countHoles([{ ...GOOD, events: GOOD.events.filter(({ sequence }) => sequence !== 2) }])).toBeGreaterThan(0);
});

test('[Y9] a committed event is missing if a socket was entitled to it and did not see it', () => {
  const all = compareSights([GOOD], [{ deliveryId: 'del_1', base: 0, seen: new Set([1, 2, 3, 4, 5]) }]);
  expect(all).toEqual({ due: 5, seen: 5, missing: [], invented: 0 });
  const late = compareSights([GOOD], [{ deliveryId: 'del_1', base: 2, seen: new Set([3, 5, 6]) }]);
  expect(late).toEqual({ due: 3, seen: 2, missing: ['del_1 #4'], invented: 1 });
});

test('[Y9] a webhook may be missing, repeated or late', () => {
  const received = new Map(
    GOOD.events
      .slice(1)
      .map(({ id, type, sequence, createdAt }, at) => [
        id,
        { type, deliveryId: 'del_1', sequence, createdAt, firstAt: at * 4000, times: at === 0 ? 3 : 1 },
      ]),
  );
  const judged = compareWebhooks(
    [GOOD],
    received,
    ({ firstAt }) => firstAt,
    ({ sequence }) => sequence === 5,
  );
  expect(judged).toMatchObject({ due: 5, missing: ['del_1 #1'], duplicates: 2, late: 1 });
});

test('[Y10] a signature is accepted only if the secret, the body and the time are right', () => {
  const body = '{"id":"evt_1"}';
  const sign = (secret: string, t: number): string =>
    `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
  const now = Math.floor(performance.timeOrigin / 1000);
  expect(verify('whsec_a', sign('whsec_a', now), body)).toBe(true);
  expect(verify('whsec_a', `${sign('whsec_a', now)},v1=00`, body)).toBe(true);
  expect(verify('whsec_a', sign('whsec_b', now), body)).toBe(false);
  expect(verify('whsec_a', sign('whsec_a', now), `${body} `)).toBe(false);
  expect(verify('whsec_a', sign('whsec_a', now - 3600), body)).toBe(false);
  expect(verify('whsec_a', '', body)).toBe(false);
});

test('[Y11] a refusal from the intended state or a later one means that an earlier try worked', () => {
  const refusal = (code: string, from?: string) =>
    ({ code, retryable: code === 'busy', ...(from === undefined ? {} : { metadata: { from } }) }) as never;
  expect(judgeRefusal(refusal('invalid_state_transition', 'in_transit'), 'picked_up')).toBe('done');
  expect(judgeRefusal(refusal('invalid_state_transition', 'picked_up'), 'picked_up')).toBe('done');
  expect(judgeRefusal(refusal('invalid_state_transition', 'searching'), 'picked_up')).toBe('lost');
  expect(judgeRefusal(refusal('invalid_state_transition', 'canceled'), 'delivered')).toBe('lost');
  expect(judgeRefusal(refusal('delivery_not_found'), 'delivered')).toBe('lost');
  expect(judgeRefusal(refusal('busy'), 'delivered')).toBe('again');
  for (const code of ['too_far_from_stop', 'courier_position_unknown'] as const)
    expect(judgeRefusal(refusal(code), 'delivered')).toBe('again');
});

test('[Y12] a wrong command line of simulate is refused with the mistake', () => {
  expect(parseOptions(['day', '--speed', '60', '--origin', '52.5,13.4'])).toMatchObject({
    day: 'day',
    speed: 60,
    origin: { lat: 52.5, lng: 13.4 },
    servers: 1,
  });
  expect(() => parseOptions([])).toThrow('name one day folder');
  expect(() => parseOptions(['day', '--servers', '0'])).toThrow('--servers must be a number from 1 to 16');
  expect(() => parseOptions(['day', '--origin', '52.5'])).toThrow('--origin must be LAT,LNG');
  expect(() => parseOptions(['day', '--base-url', 'http://x', '--kills', '1'])).toThrow('--kills');
});
