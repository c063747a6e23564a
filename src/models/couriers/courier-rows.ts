import { COURIER_STATES, VEHICLE_TYPES, type Courier } from '../../domain/couriers/courier.ts';
import { flag, id, list, number, omissible, oneOf, text } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';
import type { mongo } from 'mongoose';
import type { CourierId } from '../../domain/ids.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { CLAIMS } from '../claim-shape.ts';

/** A courier as a document. Only the database needs `terms`, the words of searches; old rows lack them. */
export type CourierRow = Courier & { readonly _id: string; readonly terms?: readonly string[] };

/** The keys of the indexes that lists of couriers walk, newest first. */
export const COURIER_LISTS = {
  byFilter: { kind: 1, liveMode: 1, state: 1, availability: 1, vehicleType: 1, _id: -1 },
  byTerm: { terms: 1, _id: -1 },
} as const;

/** The key of the index that counts online couriers without reading their rows. */
export const ONLINE_COURIERS = { availability: 1, state: 1, liveMode: 1, kind: 1 } as const;

export const COURIERS = shape<CourierRow>({
  name: 'couriers',
  holds: 'A courier, and the deliveries they have now.',
  kept: 'Always.',
  shardKey: { _id: 'hashed' },
  // The roster pages through the couriers who are online.
  indexes: [
    { key: { availability: 1, state: 1, _id: 1 }, partialFilterExpression: { availability: 'online' } },
    { key: COURIER_LISTS.byFilter },
    { key: COURIER_LISTS.byTerm },
    { key: ONLINE_COURIERS, partialFilterExpression: { availability: 'online' } },
  ],
  fields: {
    _id: text('The courier’s id.'),
    id: id('cou', 'The courier’s id.'),
    liveMode: flag('False for a courier of test mode.'),
    kind: oneOf(['courier', 'robo'], 'Whether the courier is a person or a robo-courier.'),
    name: text('The courier’s full name.'),
    phone: text('The courier’s phone number in E.164 form.'),
    vehicleType: oneOf(VEHICLE_TYPES, 'The courier’s vehicle.'),
    email: omissible(text('The courier’s e-mail address.')),
    plate: omissible(text('The licence plate of the vehicle.')),
    city: omissible(text('The city in which the courier works.')),
    state: oneOf(COURIER_STATES, 'Whether the courier may work.'),
    suspendedFor: omissible(
      oneOf(['documents'], 'Present if the courier is suspended only because a document expired.'),
    ),
    availability: oneOf(['online', 'offline'], 'Whether the courier wants offers.'),
    version: number('Rises by one with each change.'),
    active: list(id('del', 'A delivery.'), 'The deliveries that the courier has now, oldest first.'),
    capacity: number('How many deliveries the courier may have at once.'),
    terms: omissible(list(text('A word.'), 'The words under which a search finds the courier.')),
    createdAt: number('When the courier was added, service time in ms.'),
    idleSinceAt: number('When the last delivery ended or the courier came online, service time in ms.'),
  },
});

export const AS_COURIER = { projection: { _id: 0, terms: 0 } } as const;

/** The courier of a whole row, or null. */
export function courierOf(row: CourierRow | null): Courier | null {
  if (row === null) return null;
  const { _id, terms: _terms, ...courier } = row;
  return courier;
}

/** Finds a courier by id; null if they do not exist. */
export function findCourier(mongo: Mongo, id: CourierId, options: mongo.FindOptions = {}): Promise<Courier | null> {
  return mongo.collection(COURIERS).findOne<Courier>({ _id: id }, { ...AS_COURIER, ...options });
}

/** Finds the courier of this mode who has claimed the phone; null if the phone is unclaimed. */
export async function findCourierByPhone(
  mongo: Mongo,
  phone: string,
  liveMode: boolean,
  options: mongo.FindOptions = {},
): Promise<Courier | null> {
  const fact = phoneFact(phone, liveMode);
  const claim = await mongo.collection(CLAIMS).findOne({ _id: fact }, options);
  return claim === null ? null : findCourier(mongo, claim.holder as CourierId, options);
}

/** The fact that a phone belongs to a courier in this mode. */
export function phoneFact(phone: string, liveMode: boolean): string {
  return `phone:${liveMode ? 'live' : 'test'}:${phone}`;
}

/** Matches couriers who may take another delivery. */
export const MAY_TAKE = { state: 'active' as const, $expr: { $lt: [{ $size: '$active' }, '$capacity'] } };
