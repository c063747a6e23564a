// Ended deliveries and ratings as the server stores them, for a database that is filled without the API.
import type { Funds } from '../../src/domain/pricing/funds.ts';
import type { mongo } from 'mongoose';
import { isTerminal } from '../../src/domain/deliveries/lifecycle.ts';
import { STATES } from '../../src/domain/deliveries/states.ts';
import { newId, type CourierId, type LocationId, type VendorId } from '../../src/domain/ids.ts';
import { UTC_ZONES } from '../../src/domain/vendors/time-zone.ts';
import type { Delivery } from '../../src/domain/deliveries/delivery.ts';
import { deliveryRow } from '../../src/models/deliveries/delivery-rows.ts';
import { defaultSettings } from '../../src/settings.ts';
import { aStoredDelivery, aStoredStop } from '../stored/delivery.ts';

/** The vendors, locations and couriers of the deliveries. Half of the deliveries are of the first vendor. */
export type People = {
  readonly vendors: readonly { readonly id: VendorId; readonly locations: readonly LocationId[] }[];
  readonly couriers: readonly CourierId[];
};

const DAY_MS = 24 * 3_600_000;
/** The days on which the deliveries ended: as many as the longest range has. */
export const DAYS = 92;
const BATCH = 1000;
const AT_ONCE = 4;
/** One delivered delivery in this many has a rating. */
const RATED_OF = 50;
const PLACE = { lat: 52.52, lng: 13.405 };
const SETTINGS = defaultSettings();
export const ENDED = STATES.filter(isTerminal);

/**
 * Stores ended deliveries and ratings that the server has not counted yet, until there are so many deliveries. Returns
 * how many ratings it stored.
 */
export async function fillEndings(
  db: mongo.Db,
  people: People,
  count: number,
  { random, now, say }: { readonly random: () => number; readonly now: number; readonly say: (line: string) => void },
): Promise<number> {
  let stored = await db.collection('deliveries').estimatedDocumentCount();
  let rated = 0;
  const writeNext = async (): Promise<void> => {
    while (stored < count) {
      const size = Math.min(BATCH, count - stored);
      const first = stored;
      stored += size;
      const some = Array.from({ length: size }, (_, at) => anEnding(people, random, now, (first + at) / count));
      const ratings = some.filter((_one, at) => at % RATED_OF === 0).flatMap((delivery) => ratingOf(delivery, random));
      rated += ratings.length;
      const rows = some.map((delivery) => deliveryRow(delivery, SETTINGS));
      await db.collection<{ _id: string }>('deliveries').insertMany(rows, { ordered: false });
      if (ratings.length > 0) await db.collection<{ _id: string }>('ratings').insertMany(ratings, { ordered: false });
      if (first % 100_000 === 0) say(`${first} of ${count} deliveries stored`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, writeNext));
  return rated;
}

/** A delivery that ended on one of the days. `share` is its place among them, since deliveries end in order. */
function anEnding({ vendors, couriers }: People, random: () => number, now: number, share: number): Delivery {
  const index = random() < 0.5 ? 0 : Math.floor(random() * vendors.length);
  const vendor = vendors[index];
  if (vendor === undefined) throw new Error('there is a vendor');
  const courierId = courierNear(couriers, index, random);
  const endedAt = Math.round(now - (1 - share) * (DAYS - 1) * DAY_MS - random() * 3_600_000);
  const chance = random();
  const state = chance < 0.9 ? 'delivered' : chance < 0.96 ? 'canceled' : 'failed';
  const [waitMs, transitMs] = [random() * random() * 1_200_000, 120_000 + random() * random() * 3_600_000];
  const pickedUpAt = endedAt - Math.round(transitMs);
  const arrivedPickupAt = pickedUpAt - Math.round(waitMs);
  const createdAt = arrivedPickupAt - 900_000;
  const stops = {
    pickup: aStoredStop(0, PLACE),
    dropOffs: [aStoredStop(1, PLACE, { state: 'delivered', doneAt: endedAt })],
  };
  const base = { ...stops, vendorId: vendor.id, links: [], region: '8', bornAt: createdAt, searchFromAt: createdAt };
  const stored = aStoredDelivery({ ...base, searchLimitMs: SETTINGS.search.limitMs });
  const fee = 300 + Math.floor(random() * 900);
  const time = { delivered: 'deliveredAt', canceled: 'canceledAt', failed: 'failedAt' }[state];
  return {
    ...stored,
    state,
    courierId,
    courier: { id: courierId, first_name: 'Ada', vehicle_type: 'bicycle' },
    locationId: one(vendor.locations, random),
    metadata: { category: random() < 0.7 ? 'Food' : 'Package' },
    fee,
    ...(state === 'delivered' ? { funds: chargedFor(fee) } : {}),
    ending: state === 'delivered' ? null : { by: 'vendor', reason: state === 'failed' ? 'lost' : 'duplicate' },
    times: {
      ...stored.times,
      assignedAt: createdAt + 120_000,
      readyAt: createdAt + 600_000,
      arrivedPickupAt,
      pickedUpAt,
      [time]: endedAt,
    },
  };
}

/** The money of a delivery that was charged its fee. */
function chargedFor(fee: number): Funds {
  const shares = { customer: fee, vendor: 0, platform: 0 };
  const charges = [{ type: 'delivery', amount: fee, tax: 0 }] as const;
  return { shares, taxRateBp: 0, courierShareBp: 8000, hold: fee, holdKey: 'hold', charges };
}

/** One of the couriers around a vendor. Two fifths of all couriers work around the first one, which has many locations. */
function courierNear(couriers: People['couriers'], vendor: number, random: () => number): CourierId {
  const around = Math.ceil(couriers.length * (vendor === 0 ? 0.4 : 0.04));
  const courier = couriers[(vendor * around + Math.floor(random() * around)) % couriers.length];
  if (courier === undefined) throw new Error('there is a courier');
  return courier;
}

function ratingOf(delivery: Delivery, random: () => number): ({ readonly _id: string } & Record<string, unknown>)[] {
  const { id, vendorId, liveMode, courierId, locationId, times } = delivery;
  if (times.deliveredAt === null) return [];
  const at = times.deliveredAt;
  const whose = {
    deliveryId: id,
    vendorId,
    liveMode,
    courierId,
    locationId: locationId ?? null,
    zones: UTC_ZONES,
    endedAt: at,
  };
  const stars = 1 + Math.floor(random() * 5);
  const given = { by: 'recipient', stars, comment: null, changes: 0, createdAt: at, changedAt: at };
  return [{ _id: `${id}:1`, id: `${id}:1`, ...whose, ...given, state: 'due', counted: null }];
}

function one<T>(all: readonly T[], random: () => number): T {
  const chosen = all[Math.floor(random() * all.length)];
  if (chosen === undefined) throw new Error('there is one to choose');
  return chosen;
}

/** The ids of so many locations. */
export function someLocations(count: number): LocationId[] {
  return Array.from({ length: count }, () => newId('loc'));
}
