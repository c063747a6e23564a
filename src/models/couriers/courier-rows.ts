import type { mongo } from 'mongoose';
import type { Courier } from '../../domain/couriers/courier.ts';
import type { CourierId } from '../../domain/ids.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { CLAIMS } from '../claim-shape.ts';
import { COURIERS } from './courier-shape.ts';

export const AS_COURIER = { projection: { _id: 0 } } as const;

/** A courier by their id; null when there is none. */
export function findCourier(mongo: Mongo, id: CourierId, options: mongo.FindOptions = {}): Promise<Courier | null> {
  return mongo.collection(COURIERS).findOne<Courier>({ _id: id }, { ...AS_COURIER, ...options });
}

/** The courier of this mode who has claimed the phone; null when nobody has. */
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

/** The fact that a phone has its courier in this mode. */
export function phoneFact(phone: string, liveMode: boolean): string {
  return `phone:${liveMode ? 'live' : 'test'}:${phone}`;
}

/** A courier who may take another delivery. */
export const MAY_TAKE = { state: 'active' as const, $expr: { $lt: [{ $size: '$active' }, '$capacity'] } };
