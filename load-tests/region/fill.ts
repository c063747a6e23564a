// Fills the stores with a crowded region: couriers in it and around it, some with a delivery, and open searches.
import { cellToLatLng } from 'h3-js';
import { cardOf, VEHICLE_TYPES, type Courier } from '../../src/domain/couriers/courier.ts';
import type { Delivery } from '../../src/domain/deliveries/delivery.ts';
import { offsetBy, type Coordinates } from '../../src/domain/geo/geo.ts';
import { newId } from '../../src/domain/ids.ts';
import { deliveryRow } from '../../src/models/deliveries/delivery-rows.ts';
import type { Mongo } from '../../src/engines/mongo.ts';
import { defaultSettings } from '../../src/settings.ts';
import { createRandom, type Random } from '../random.ts';
import { aStoredDelivery, aStoredStop } from '../stored/delivery.ts';
import { DELIVERIES } from '../../src/models/deliveries/delivery-shape.ts';

/** Half of the couriers stand around the middle, at this mean distance in metres. The others stand anywhere. */
const CITY_M = 4000;
/**
 * The largest distance from the middle to couriers and to the middles of the neighbours, for regions of resolution 5.
 */
const REACH_M = 22_000;
const COUNTERS = 300;
/** Pickups lie within this distance of the middle, so they are in the region. */
const PICKUPS_M = 6000;
const BUSY_SHARE = 0.3;
const MOST_PER_INSERT = 1000;
const SEARCH_MS = 86_400_000;
const RULES = defaultSettings();

export type Crowd = { readonly couriers: Courier[]; readonly places: Coordinates[] };

/** The middle of a region. */
export function middleOf(region: string): Coordinates {
  const [lat, lng] = cellToLatLng(region);
  return { lat, lng };
}

/** Adds couriers with their places. Three in ten have a delivery. The same seed gives the same places. */
export async function addCouriers(
  mongo: Mongo,
  crowd: Crowd,
  { count, region, now }: { readonly count: number; readonly region: string; readonly now: number },
): Promise<void> {
  const random = createRandom(crowd.couriers.length + 1);
  const middle = middleOf(region);
  const rows: Courier[] = [];
  const held: Delivery[] = [];
  while (crowd.couriers.length < count) {
    const place = somewhere(random, middle, random.next() < 0.5 ? CITY_M : REACH_M);
    const courier = aCourier(random, crowd.couriers.length, now);
    const delivery = random.next() < BUSY_SHARE ? aDelivery({ random, middle, region, now, at: place }) : null;
    const active = delivery === null ? [] : [delivery.id];
    crowd.couriers.push({ ...courier, active });
    crowd.places.push(place);
    rows.push({ ...courier, active });
    if (delivery !== null) held.push(carried(delivery, courier, now));
  }
  await insert(
    mongo,
    'couriers',
    rows.map((courier) => ({ _id: courier.id, ...courier })),
  );
  await insert(
    mongo,
    'deliveries',
    held.map((delivery) => deliveryRow(delivery, RULES)),
  );
}

/** Adds deliveries in the region that wait for a courier. Their pickups are spread around the middle like couriers. */
export async function addSearches(
  mongo: Mongo,
  { count, region, now }: { readonly count: number; readonly region: string; readonly now: number },
): Promise<void> {
  const random = createRandom(7);
  const middle = middleOf(region);
  const counters = Array.from({ length: COUNTERS }, () => somewhere(random, middle, CITY_M, PICKUPS_M));
  const rows = Array.from({ length: count }, () => {
    const at = counters[Math.floor(random.next() * COUNTERS)] ?? middle;
    return deliveryRow(aDelivery({ random, middle, region, now, at }), RULES);
  });
  await insert(mongo, 'deliveries', rows);
}

export async function removeSearches(mongo: Mongo): Promise<void> {
  await mongo.collection(DELIVERIES).deleteMany({ state: 'searching' });
}

async function insert(mongo: Mongo, name: 'couriers' | 'deliveries', rows: readonly { _id: string }[]): Promise<void> {
  const collection = mongo.db.collection<{ _id: string }>(name);
  for (let from = 0; from < rows.length; from += MOST_PER_INSERT) {
    await collection.insertMany(rows.slice(from, from + MOST_PER_INSERT), { ordered: false });
  }
}

/** A random place with this spread around the middle, at most `mostM` away. */
function somewhere(random: Random, middle: Coordinates, spreadM: number, mostM = REACH_M): Coordinates {
  const [bearing, share] = [random.next() * 2 * Math.PI, Math.sqrt(random.next())];
  const awayM = Math.min(mostM, spreadM === REACH_M ? REACH_M * share : -spreadM * Math.log(1 - share * 0.999));
  return offsetBy(middle, awayM * Math.cos(bearing), awayM * Math.sin(bearing));
}

function aCourier(random: Random, number: number, now: number): Courier {
  return {
    id: newId('cou'),
    liveMode: false,
    kind: 'courier',
    name: `Courier ${number}`,
    phone: `+49${String(number).padStart(10, '0')}`,
    vehicleType: VEHICLE_TYPES[Math.floor(random.next() * VEHICLE_TYPES.length)] ?? 'bicycle',
    state: 'active',
    availability: 'online',
    version: 1,
    active: [],
    capacity: 1,
    createdAt: now,
    idleSinceAt: now - Math.floor(random.next() * 3_600_000),
  };
}

function carried(delivery: Delivery, courier: Courier, now: number): Delivery {
  return {
    ...delivery,
    state: 'assigned',
    stage: 'en_route_to_pickup',
    courierId: courier.id,
    courier: cardOf(courier),
    times: { ...delivery.times, assignedAt: now },
  };
}

type Around = {
  readonly random: Random;
  readonly middle: Coordinates;
  readonly region: string;
  readonly now: number;
  readonly at: Coordinates;
};

function aDelivery({ random, middle, region, now, at }: Around): Delivery {
  return aStoredDelivery({
    bornAt: now,
    vendorId: newId('ven'),
    pickup: aStoredStop(0, at),
    dropOffs: [aStoredStop(1, somewhere(random, middle, CITY_M))],
    region,
    searchFromAt: now,
    searchLimitMs: SEARCH_MS,
    links: [{ stop: 1, id: newId('trk'), tokenHash: newId('trk') }],
  });
}
