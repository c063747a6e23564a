// Deliveries as the server would have stored them, each with three events. The server's own functions make them.
import { makeChange, type Happening } from '../../src/dispatch/change-delivery.ts';
import { cardOf, type Courier } from '../../src/domain/couriers/courier.ts';
import { timesAtBirth, type Delivery, type TrackingLink } from '../../src/domain/deliveries/delivery.ts';
import type { DomainEvent } from '../../src/domain/deliveries/events.ts';
import { offsetBy, regionOf, type Coordinates } from '../../src/domain/geo/geo.ts';
import type { VendorId } from '../../src/domain/ids.ts';
import type { State } from '../../src/domain/deliveries/states.ts';
import { momentWithout, type Moment } from '../../src/domain/deliveries/eta.ts';
import { UNLEARNED_WAYS } from '../../src/domain/learning/travel.ts';
import { defaultSettings } from '../../src/settings.ts';
import type { Random } from '../random.ts';
import { aStoredDelivery, aStoredStop } from '../stored/delivery.ts';

export type History = { readonly delivery: Delivery; readonly events: readonly DomainEvent[] };

/** The place, the time and the links of the deliveries. */
export type Setting = {
  readonly random: Random;
  readonly center: Coordinates;
  readonly regionResolution: number;
  readonly now: number;
  /** The span in which the ended deliveries were made, ms. */
  readonly spanMs: number;
  readonly makeLinks: () => readonly TrackingLink[];
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Deliveries that end on a day. A young business has the same number a day, but fewer stored days. */
const ENDED_A_DAY = 12_500;
const SYSTEM = { type: 'system', id: null } as const;

/** This moment of a delivery whose courier was not heard. */
function momentAt(now: number): Moment {
  return momentWithout(now, UNLEARNED_WAYS, defaultSettings());
}

/** The last event of a delivery in this state; the one before is an update. */
const LAST: Partial<Record<State, Happening>> = {
  delivered: { type: 'delivered', actor: SYSTEM, stop: 1 },
  canceled: { type: 'canceled', actor: SYSTEM },
  failed: { type: 'delivery.failed', actor: SYSTEM, stop: 1 },
};

/**
 * A delivery of the vendor in this state, number `count` of all, with its history. An assigned one has this courier.
 */
export function historyOf(
  setting: Setting,
  { state, vendorId, count, courier }: { state: State; vendorId: VendorId; count: number; courier: Courier },
): History {
  const bornAt = birthOf(setting, state);
  const born = bornDelivery(setting, state, { vendorId, count, bornAt });
  const birth = makeChange(null, born, [{ type: 'delivery.created', actor: SYSTEM }], momentAt(bornAt));
  const updated = makeChange(
    birth.after,
    birth.after,
    [{ type: 'delivery.updated', actor: SYSTEM }],
    momentAt(bornAt + 1000),
  );
  const isHeld = state === 'in_transit' || state === 'delivered';
  const after = {
    ...updated.after,
    state,
    ...(isHeld ? { courierId: courier.id, courier: cardOf(courier) } : {}),
    times: timesOf(updated.after, state, bornAt + 5 * MINUTE_MS),
  };
  const last = LAST[state] ?? { type: 'delivery.updated', actor: SYSTEM };
  const end = makeChange(updated.after, after, [last], momentAt(bornAt + 30 * MINUTE_MS));
  return { delivery: end.after, events: [...birth.events, ...updated.events, ...end.events] };
}

/** The time in which a business makes this many deliveries, ms. */
export function spanOf(deliveries: number): number {
  return (deliveries / ENDED_A_DAY) * DAY_MS;
}

/** Open deliveries are recent, so that none is late during the measurement. */
function birthOf({ random, now, spanMs }: Setting, state: State): number {
  const isOver = LAST[state] !== undefined;
  return Math.round(now - (isOver ? random.between(HOURS_MS, HOURS_MS + spanMs) : 31 * MINUTE_MS));
}

const HOURS_MS = 3 * 3_600_000;

function timesOf({ times }: Delivery, state: State, at: number): Delivery['times'] {
  const held = { ...times, assignedAt: at, pickedUpAt: at, inTransitAt: at };
  if (state === 'delivered') return { ...held, deliveredAt: at };
  if (state === 'in_transit') return held;
  if (state === 'canceled') return { ...times, canceledAt: at };
  return state === 'failed' ? { ...held, failedAt: at } : times;
}

function bornDelivery(
  { random, center, regionResolution, now, makeLinks }: Setting,
  state: State,
  { vendorId, count, bornAt }: { vendorId: VendorId; count: number; bornAt: number },
): Delivery {
  const isScheduled = state === 'scheduled';
  // Scheduled ones are ready on other days. The others have until tomorrow to find a courier, so that none ends
  // meanwhile.
  const readyAt = Math.round(now + random.between(DAY_MS, 29 * DAY_MS));
  const window = isScheduled ? { readyAt, deadlineAt: readyAt + 60 * MINUTE_MS } : null;
  const from = isScheduled ? readyAt - 20 * MINUTE_MS : bornAt;
  const place = offsetBy(center, random.between(-2000, 2000), random.between(-2000, 2000));
  const address = `${count % 200} Long Street`;
  return aStoredDelivery({
    bornAt,
    channel: count % 3 === 0 ? 'express' : 'dashboard',
    vendorId,
    externalId: `order-${count}`,
    state: isScheduled ? 'scheduled' : 'searching',
    priority: isScheduled ? 'scheduled' : 'express',
    pickup: aStoredStop(0, place, { address, window, contact: { name: 'The counter', phone: phoneOf(0) } }),
    dropOffs: [
      aStoredStop(1, offsetBy(place, 800, 900), { address, contact: { name: 'Ada Lovelace', phone: phoneOf(count) } }),
    ],
    region: regionOf(place, regionResolution),
    searchFromAt: from,
    searchLimitMs: DAY_MS,
    links: makeLinks(),
    times: { ...timesAtBirth(bornAt), searchingAt: isScheduled ? null : bornAt },
  });
}

/** Deliveries to one recipient, so that a search for a phone fills a page with any number of stored deliveries. */
const EACH_RECIPIENT = 60;

/** The recipient's phone of delivery number `count`. */
export function phoneOf(count: number): string {
  return `+4930${String(10_000_000 + Math.floor(count / EACH_RECIPIENT) * 11).padStart(8, '0')}`;
}
