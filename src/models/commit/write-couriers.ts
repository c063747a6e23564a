import type { mongo } from 'mongoose';
import type { CourierId, DeliveryId } from '../../domain/ids.ts';
import type { EffectOf } from '../../ports/changes.ts';
import { MAY_TAKE, COURIERS, type CourierRow } from '../couriers/courier-rows.ts';
import type { Stale, Work } from './work.ts';

/** The condition on a courier and the fields to set, as parts of an update by pipeline. */
type Write = { readonly courierId: CourierId; readonly when: mongo.Filter<CourierRow>; readonly sets: mongo.Document };

/** Assigns deliveries to couriers who are unchanged since the decision, are active and have room. */
export function takeCouriers(work: Work, effects: readonly EffectOf<'take_courier'>[]): Promise<Stale | null> {
  return writeAll(
    work,
    effects.map(({ courierId, version, deliveryId }) => ({
      courierId,
      when: { version, ...MAY_TAKE },
      sets: { active: { $concatArrays: ['$active', [deliveryId]] } },
    })),
  );
}

/** Removes deliveries from the couriers who have them. */
export function freeCouriers(work: Work, effects: readonly EffectOf<'free_courier'>[]): Promise<Stale | null> {
  return writeAll(
    work,
    effects.map(({ courierId, deliveryId, at }) => ({
      courierId,
      when: { active: deliveryId },
      sets: { active: without(deliveryId), idleSinceAt: at },
    })),
  );
}

/** Replaces a courier's delivery by its return. The goods must go back, so this needs neither approval nor room. */
export function keepCouriers(work: Work, effects: readonly EffectOf<'keep_courier'>[]): Promise<Stale | null> {
  return writeAll(
    work,
    effects.map(({ courierId, frees, takes }) => ({
      courierId,
      when: { active: frees },
      sets: { active: { $concatArrays: [without(frees), [takes]] } },
    })),
  );
}

function without(deliveryId: DeliveryId): mongo.Document {
  return { $filter: { input: '$active', cond: { $ne: ['$$this', deliveryId] } } };
}

async function writeAll({ mongo, session }: Work, writes: readonly Write[]): Promise<Stale | null> {
  const couriers = mongo.collection(COURIERS);
  for (const { courierId, when, sets } of writes) {
    const update = { $set: { version: { $add: ['$version', 1] }, ...sets } };
    const { matchedCount } = await couriers.updateOne({ _id: courierId, ...when }, [update], { session });
    if (matchedCount === 0) return { why: 'stale' };
  }
  return null;
}
