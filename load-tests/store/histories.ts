// Deliveries as the product would have stored them: each with three events, made by its own functions.
import { makeChange } from '../../src/dispatch/change-delivery.ts';
import { cardOf, type Courier } from '../../src/domain/couriers/courier.ts';
import {
  preparationAtBirth,
  timesAtBirth,
  type Delivery,
  type TrackingLink,
} from '../../src/domain/deliveries/delivery.ts';
import type { DomainEvent, EventType } from '../../src/domain/deliveries/events.ts';
import { offsetBy, regionOf, type Coordinates } from '../../src/domain/geo/geo.ts';
import { newId, type VendorId } from '../../src/domain/ids.ts';
import type { State } from '../../src/domain/deliveries/states.ts';
import type { Stop } from '../../src/domain/deliveries/stop.ts';
import type { Random } from '../random.ts';

export type History = { readonly delivery: Delivery; readonly events: readonly DomainEvent[] };

/** Where and when deliveries are made, and for whom. */
export type Setting = {
  readonly random: Random;
  readonly center: Coordinates;
  readonly regionResolution: number;
  readonly now: number;
  /** Those that have ended were made in so many ms. */
  readonly spanMs: number;
  readonly makeLinks: () => readonly TrackingLink[];
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Deliveries that end on a day. A business has as many when it is young; it has stored fewer days. */
const ENDED_A_DAY = 12_500;
const SYSTEM = { type: 'system', id: null } as const;

/** The last event of a delivery in this state; the one before is an update. */
const LAST: Partial<Record<State, EventType>> = {
  delivered: 'delivered',
  canceled: 'canceled',
  failed: 'delivery.failed',
};

/** A delivery of the vendor in this state, number `count` of all, with its history. A held one has this courier. */
export function historyOf(
  setting: Setting,
  { state, vendorId, count, courier }: { state: State; vendorId: VendorId; count: number; courier: Courier },
): History {
  const bornAt = birthOf(setting, state);
  const born = bornDelivery(setting, state, { vendorId, count, bornAt });
  const birth = makeChange(null, born, [{ type: 'delivery.created', actor: SYSTEM }], bornAt);
  const updated = makeChange(birth.after, birth.after, [{ type: 'delivery.updated', actor: SYSTEM }], bornAt + 1000);
  const isHeld = state === 'in_transit' || state === 'delivered';
  const after = {
    ...updated.after,
    state,
    ...(isHeld ? { courierId: courier.id, courier: cardOf(courier) } : {}),
    times: timesOf(updated.after, state, bornAt + 5 * MINUTE_MS),
  };
  const last = { type: LAST[state] ?? 'delivery.updated', actor: SYSTEM };
  const end = makeChange(updated.after, after, [last], bornAt + 30 * MINUTE_MS);
  return { delivery: end.after, events: [...birth.events, ...updated.events, ...end.events] };
}

/** How long it takes to make so many deliveries, ms. */
export function spanOf(deliveries: number): number {
  return (deliveries / ENDED_A_DAY) * DAY_MS;
}

/** Open deliveries are recent, so that nothing is late while it is measured. */
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
  // Scheduled ones are ready on other days; the others are searched for until tomorrow, so that none ends meanwhile.
  const readyAt = Math.round(now + random.between(DAY_MS, 29 * DAY_MS));
  const window = isScheduled ? { readyAt, deadlineAt: readyAt + 60 * MINUTE_MS } : null;
  const from = isScheduled ? readyAt - 20 * MINUTE_MS : bornAt;
  const place = offsetBy(center, random.between(-2000, 2000), random.between(-2000, 2000));
  const pickup: Stop = { ...aStop(0, place, count), window };
  return {
    id: newId('del'),
    kind: 'delivery',
    liveMode: false,
    channel: count % 3 === 0 ? 'express' : 'dashboard',
    vendorId,
    externalId: `order-${count}`,
    contentHash: 'bench',
    state: isScheduled ? 'scheduled' : 'searching',
    stage: null,
    version: 1,
    sequence: 1,
    madeBy: { verb: 'create', stop: null, actor: { type: 'vendor', id: null } },
    priority: isScheduled ? 'scheduled' : 'express',
    pickup,
    preparation: preparationAtBirth(window, null),
    dropOffs: [aStop(1, offsetBy(place, 800, 900), count)],
    metadata: {},
    vehicleTypes: [],
    custom: {},
    quoteId: null,
    fee: 450,
    currency: 'EUR',
    feeBreakdown: [{ type: 'base', amount: 450 }],
    distanceM: 1800,
    durationS: 400,
    region: regionOf(place, regionResolution),
    searchFromAt: from,
    searchCountsFromAt: from,
    searchUntilAt: from + DAY_MS,
    searchLimitMs: DAY_MS,
    courierId: null,
    courier: null,
    formerCouriers: [],
    robo: null,
    links: makeLinks(),
    related: [],
    outcome: null,
    ending: null,
    times: { ...timesAtBirth(bornAt), searchingAt: isScheduled ? null : bornAt },
  };
}

/** Deliveries to one recipient: a search for a phone fills a page, however many are stored. */
const EACH_RECIPIENT = 60;

/** The recipient's phone of delivery number `count`. */
export function phoneOf(count: number): string {
  return `+4930${String(10_000_000 + Math.floor(count / EACH_RECIPIENT) * 11).padStart(8, '0')}`;
}

function aStop(index: number, place: Coordinates, count: number): Stop {
  return {
    index,
    visit: index,
    place,
    address: `${count % 200} Long Street`,
    contact: { name: index === 0 ? 'The counter' : 'Ada Lovelace', phone: phoneOf(index === 0 ? 0 : count) },
    instructions: null,
    window: null,
    externalId: null,
    undeliverableAction: 'return',
    state: 'pending',
    arrivedAt: null,
    doneAt: null,
    reason: null,
  };
}
