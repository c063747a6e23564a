/** Small valid values for tests. Each builder returns a whole object, and a test names only the fields that matter. */
import { cardOf, type Courier } from '../src/domain/couriers/courier.ts';
import { preparationAtBirth, timesAtBirth, type Delivery, type Times } from '../src/domain/deliveries/delivery.ts';
import { offsetBy, type Coordinates } from '../src/domain/geo/geo.ts';
import { newId } from '../src/domain/ids.ts';
import type { Offer } from '../src/domain/offers/offer.ts';
import type { Fix, Position } from '../src/domain/couriers/position.ts';
import { momentWithout, type Moment } from '../src/domain/deliveries/eta.ts';
import type { Quote } from '../src/domain/deliveries/quote.ts';
import { UNLEARNED_WAYS } from '../src/domain/learning/travel.ts';
import type { State } from '../src/domain/deliveries/states.ts';
import type { Stop } from '../src/domain/deliveries/stops/stop.ts';
import { locationWith, vendorWith, type Vendor, type VendorLocation } from '../src/domain/vendors/vendor.ts';
import type { NewDelivery, NewStop } from '../src/dispatch/commands.ts';
import { defaultSettings } from '../src/settings.ts';
import { regionOf } from './regions.ts';

/** Noon of a Monday. `handClock` starts here. */
export const NOON = Date.UTC(2026, 0, 5, 12);
export const CENTER: Coordinates = { lat: 52.52, lng: 13.405 };

export function aStop(index: number, over: Partial<Stop> = {}): Stop {
  return {
    index,
    visit: index,
    place: offsetBy(CENTER, index * 1000, 0),
    address: index === 0 ? '1 Market Square' : `${index} Long Street`,
    contact: { name: index === 0 ? 'Front desk' : 'Ada Lovelace', phone: '+4930123456' },
    instructions: null,
    window: null,
    externalId: null,
    undeliverableAction: 'return',
    state: 'pending',
    arrivedAt: null,
    doneAt: null,
    reason: null,
    ...over,
  };
}

/** A moment without a position, on a server that has learned nothing and has no routing server. */
export function aMoment(now: number = NOON, over: Partial<Moment> = {}): Moment {
  return { ...momentWithout(now, UNLEARNED_WAYS, defaultSettings()), ...over };
}

type DeliveryParts = Partial<Omit<Delivery, 'times'>> & { readonly times?: Partial<Times> };

/** A searching express delivery with one drop-off, born at noon. Its search counts from 9 min later, for 15 min. */
export function aDelivery(over: DeliveryParts = {}): Delivery {
  const { times, ...rest } = over;
  const pickup = rest.pickup ?? aStop(0);
  const countsFromAt = rest.searchCountsFromAt ?? (rest.searchFromAt ?? NOON) + 540_000;
  const untilAt = rest.searchUntilAt ?? (rest.searchFromAt ?? NOON) + 1_440_000;
  return {
    id: newId('del'),
    kind: 'delivery',
    liveMode: false,
    channel: 'express',
    vendorId: newId('ven'),
    externalId: null,
    contentHash: 'content',
    state: 'searching',
    stage: null,
    version: 1,
    sequence: 1,
    madeBy: { verb: 'create', stop: null, actor: { type: 'vendor', id: null } },
    priority: 'express',
    pickup,
    preparation: preparationAtBirth(pickup.window, null),
    dropOffs: [aStop(1)],
    metadata: {},
    vehicleTypes: [],
    custom: {},
    quoteId: null,
    fee: 450,
    currency: 'EUR',
    feeBreakdown: [{ type: 'base', amount: 450 }],
    distanceM: 1350,
    durationS: 328,
    region: regionOf(pickup.place),
    searchFromAt: NOON,
    searchCountsFromAt: countsFromAt,
    searchUntilAt: untilAt,
    searchLimitMs: untilAt - countsFromAt,
    courierId: null,
    courier: null,
    formerCouriers: [],
    robo: null,
    links: (rest.dropOffs ?? [aStop(1)]).map(({ index }) => ({
      stop: index,
      id: newId('trk'),
      tokenHash: newId('trk'),
    })),
    related: [],
    outcome: null,
    ending: null,
    ...rest,
    times: { ...timesAtBirth(NOON), searchingAt: NOON, ...times },
  };
}

/** The delivery in this state, assigned to this courier. */
export function heldBy(courier: Courier, state: State = 'assigned', over: DeliveryParts = {}): Delivery {
  const collected = state === 'picked_up' || state === 'in_transit';
  return aDelivery({
    state,
    stage: state === 'assigned' ? 'en_route_to_pickup' : state === 'in_transit' ? 'en_route_to_drop_off' : null,
    madeBy: { verb: 'assign', stop: null, actor: { type: 'courier', id: courier.id } },
    courierId: courier.id,
    courier: cardOf(courier),
    liveMode: courier.liveMode,
    ...(collected ? { pickup: aStop(0, { state: 'delivered', doneAt: NOON }) } : {}),
    ...over,
    times: {
      assignedAt: NOON,
      ...(collected ? { pickedUpAt: NOON } : {}),
      ...(state === 'in_transit' ? { inTransitAt: NOON } : {}),
      ...over.times,
    },
  });
}

/** An active courier who is online and has no delivery. */
export function aCourier(over: Partial<Courier> = {}): Courier {
  const id = over.id ?? newId('cou');
  return {
    id,
    liveMode: false,
    kind: 'courier',
    name: 'Grace Hopper',
    // A phone is unique per mode; the last characters of an id are its random part.
    phone: `+49${id.slice(-12).replaceAll(/[a-z]/g, (letter) => `${letter.charCodeAt(0) % 10}`)}`,
    vehicleType: 'scooter',
    state: 'active',
    availability: 'online',
    version: 1,
    active: [],
    capacity: 1,
    createdAt: NOON,
    idleSinceAt: NOON,
    ...over,
  };
}

export function aVendor(over: Partial<Vendor> = {}): Vendor {
  return vendorWith({
    id: newId('ven'),
    name: 'Corner Bakery',
    currency: 'EUR',
    accent: '#0b6e4f',
    searchLimitMs: 900_000,
    maxDistanceM: 40_000,
    createdAt: NOON,
    ...over,
  });
}

export function aLocation(over: Partial<VendorLocation> = {}): VendorLocation {
  return locationWith({
    id: newId('loc'),
    vendorId: newId('ven'),
    name: 'Corner Bakery, Market Square',
    place: CENTER,
    address: '1 Market Square',
    contact: { name: 'Front desk', phone: '+4930123456' },
    isReady: true,
    createdAt: NOON,
    ...over,
  });
}

/** A quote for the places of `aDelivery`, made at noon for 15 minutes. */
export function aQuote(over: Partial<Quote> = {}): Quote {
  return {
    id: newId('qte'),
    vendorId: newId('ven'),
    liveMode: false,
    places: [aStop(0).place, aStop(1).place],
    isTimed: false,
    metadata: {},
    priority: 'express',
    fee: 450,
    currency: 'EUR',
    feeBreakdown: [{ type: 'base', amount: 450 }],
    distanceM: 1350,
    durationS: 328,
    createdAt: NOON,
    expiresAt: NOON + 900_000,
    ...over,
  };
}

/** An open exclusive offer made at noon for 25 s. */
export function anOffer(over: Partial<Offer> = {}): Offer {
  return {
    id: newId('off'),
    deliveryId: newId('del'),
    deliveryVersion: 1,
    courierId: newId('cou'),
    region: regionOf(CENTER),
    fence: 1,
    isExclusive: true,
    state: 'open',
    distanceM: 1200,
    createdAt: NOON,
    expiresAt: NOON + 25_000,
    deliveredAt: null,
    closedAt: null,
    reason: null,
    ...over,
  };
}

export function aFix(seq: number, over: Partial<Fix> = {}): Fix {
  return { seq, at: NOON + seq * 4000, ...CENTER, accuracyM: 8, speedMps: 5, headingDeg: 90, ...over };
}

export function aPosition(over: Partial<Position> = {}): Position {
  return { ...aFix(1), courierId: newId('cou'), receivedAt: NOON, ...over };
}

export function aNewStop(index: number, over: Partial<NewStop> = {}): NewStop {
  const { place, address, contact, instructions, window, externalId, undeliverableAction } = aStop(index);
  return { place, address, contact, instructions, window, externalId, undeliverableAction, ...over };
}

/** A parsed create: express, one drop-off, 1 km in a straight line. */
export function aNewDelivery(over: Partial<NewDelivery> = {}): NewDelivery {
  return {
    vendorId: newId('ven'),
    liveMode: false,
    channel: 'express',
    externalId: null,
    orderId: null,
    contentHash: 'content',
    priority: 'express',
    locationId: null,
    pickup: aNewStop(0),
    dropOffs: [aNewStop(1)],
    metadata: {},
    vehicleTypes: [],
    custom: {},
    extras: {},
    quoteId: null,
    searchUntilAt: null,
    robo: null,
    ...over,
  };
}
