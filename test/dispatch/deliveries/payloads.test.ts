import { expect, test } from 'vitest';
import { makeChange, type Happening } from '../../../src/dispatch/change-delivery.ts';
import { planMove } from '../../../src/dispatch/move-delivery.ts';
import { cardOf } from '../../../src/domain/couriers/courier.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { EVENT_TYPES, EVENTS, type Details, type EventType } from '../../../src/domain/deliveries/events.ts';
import { newId } from '../../../src/domain/ids.ts';
import { aCourier, heldBy, NOON, aMoment } from '../../builders.ts';

const actor = { type: 'system', id: null } as const;
const courier = cardOf(aCourier());
const ready_at = new Date(NOON).toISOString();
const failed = { stop: 1, reason: 'unsafe', override_reason: 'no satellites' };
const done = { stop: 1, override_reason: 'no satellites' };

/** The fields of each event besides those of the delivery, including all optional ones. */
const DETAILS: { readonly [T in EventType]: Required<Details<T>> } = {
  'delivery.created': {},
  'delivery.searching': {},
  'courier.assigned': { courier, override_reason: 'by hand' },
  'courier.unassigned': { courier, reason: 'flat tyre' },
  'courier.arrived_pickup': { ...done, stop: 0 },
  picked_up: { override_reason: 'no satellites' },
  in_transit: {},
  'courier.arrived_drop_off': done,
  'drop_off.delivered': done,
  'drop_off.failed': failed,
  delivered: done,
  'delivery.failed': failed,
  canceled: { reason: 'too late' },
  'delivery.updated': { changed: ['/tip'] },
  'delivery.ready': { ready_at },
  'delivery.delayed': { ready_at, reason: 'the oven is cold' },
  'delivery.search_delayed': {},
  'delivery.refunded': { refund: { id: newId('rfd'), amount: 450, tax: 29 }, reason: 'the soup was cold' },
};

/** Mistakes that the compiler must find. This code never runs. */
function misuse(delivery: Delivery): void {
  const asked = { verb: 'unassign', stop: null, doer: { type: 'system' } } as const;
  const here = { asked, now: NOON, place: null };
  // @ts-expect-error -- a field that this payload does not have
  makeChange(null, delivery, [{ type: 'delivery.created', actor, reason: 'none' }], aMoment());
  // @ts-expect-error -- the field `ready_at` is missing
  makeChange(null, delivery, [{ type: 'delivery.ready', actor }], aMoment());
  // @ts-expect-error -- a payload does not allow null
  makeChange(null, delivery, [{ type: 'canceled', actor, reason: null }], aMoment());
  // @ts-expect-error -- the event of this verb has no details
  planMove(delivery, { ...here, verb: 'depart', details: { stop: 1 } });
  // @ts-expect-error -- the event of this verb names the courier who left
  planMove(delivery, { ...here, verb: 'unassign', details: { reason: 'flat tyre' } });
}

test('[T53] an event has the fields that its payload lists, and the compiler refuses others and missing ones', () => {
  expect(misuse).toBeTypeOf('function');
  const held = heldBy(aCourier());
  for (const type of EVENT_TYPES) {
    const happening = { type, actor, ...DETAILS[type] } as Happening;
    const [event] = makeChange(held, held, [happening], aMoment()).events;
    expect(event?.data).toMatchObject(DETAILS[type]);
    expect([type, EVENTS[type].data.safeParse(event?.data).error]).toEqual([type, undefined]);
  }
});
