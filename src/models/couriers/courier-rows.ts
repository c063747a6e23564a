import type { mongo } from 'mongoose';
import type { Courier } from '../../domain/couriers/courier.ts';
import type { CourierId } from '../../domain/ids.ts';
import type { CourierChange } from '../../ports/changes.ts';
import type { ClaimRow } from '../claim-store.ts';
import type { Mongo } from '../../engines/mongo.ts';

export type CourierRow = Courier & { readonly _id: string };

export const AS_COURIER = { projection: { _id: 0 } } as const;

/** A courier by their id; null when there is none. */
export function findCourier(mongo: Mongo, id: CourierId, options: mongo.FindOptions = {}): Promise<Courier | null> {
  return mongo.collection<CourierRow>('couriers').findOne<Courier>({ _id: id }, { ...AS_COURIER, ...options });
}

/** The courier of this mode who has claimed the phone; null when nobody has. */
export async function findCourierByPhone(
  mongo: Mongo,
  phone: string,
  liveMode: boolean,
  options: mongo.FindOptions = {},
): Promise<Courier | null> {
  const fact = phoneFact(phone, liveMode);
  const claim = await mongo.collection<ClaimRow>('claims').findOne({ _id: fact }, options);
  return claim === null ? null : findCourier(mongo, claim.holder as CourierId, options);
}

/** The fact that a phone has its courier in this mode. */
export function phoneFact(phone: string, liveMode: boolean): string {
  return `phone:${liveMode ? 'live' : 'test'}:${phone}`;
}

/** A courier who may take another delivery. */
export const MAY_TAKE = { state: 'active' as const, $expr: { $lt: [{ $size: '$active' }, '$capacity'] } };

/**
 * Gives and takes deliveries of one courier, inside a transaction; false when the courier is not as the change expects:
 * the version seen, active and with room for what it takes, holder of what it frees.
 */
export async function changeCourier(
  mongo: Mongo,
  session: mongo.ClientSession,
  { courierId, version, takes, frees, at }: CourierChange,
): Promise<boolean> {
  const condition = {
    _id: courierId,
    ...(version === null ? {} : { version }),
    // Who swaps a delivery for its return needs neither leave nor room: the goods must go back.
    ...(frees === null ? MAY_TAKE : { active: frees }),
  };
  const kept = { $filter: { input: '$active', cond: { $ne: ['$$this', frees] } } };
  const update = {
    version: { $add: ['$version', 1] },
    active: takes === null ? kept : { $concatArrays: [kept, [takes]] },
    ...(takes === null ? { idleSinceAt: at } : {}),
  };
  const couriers = mongo.collection<CourierRow>('couriers');
  const { matchedCount } = await couriers.updateOne(condition, [{ $set: update }], { session });
  return matchedCount === 1;
}
