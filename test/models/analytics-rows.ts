import type { Rating } from '../../src/domain/analytics/rating.ts';
import { UTC_ZONES } from '../../src/domain/vendors/time-zone.ts';
import { newId } from '../../src/domain/ids.ts';
import { NOON } from '../builders.ts';

/** A recipient's rating of five stars with a comment, given at noon. */
export function aRating(over: Partial<Rating> = {}): Rating {
  const deliveryId = over.deliveryId ?? newId('del');
  return {
    id: `${deliveryId}:1`,
    deliveryId,
    by: 'recipient',
    vendorId: newId('ven'),
    liveMode: true,
    courierId: newId('cou'),
    locationId: null,
    zones: UTC_ZONES,
    endedAt: NOON,
    stars: 5,
    comment: 'Quick and friendly',
    changes: 0,
    createdAt: NOON,
    changedAt: NOON,
    ...over,
  };
}
