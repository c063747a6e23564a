import type { mongo } from 'mongoose';
import type { Courier } from '../../domain/couriers/courier.ts';
import type { CourierId } from '../../domain/ids.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { CLAIMS } from '../claim-shape.ts';
import { COURIERS } from './courier-shape.ts';

export const AS_COURIER = { projection: { _id: 0 } } as const;

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
