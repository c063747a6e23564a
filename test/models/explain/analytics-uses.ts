import { aRating } from '../analytics-rows.ts';
import type { CourierId, DeliveryId, VendorId } from '../../../src/domain/ids.ts';
import type { Stores } from '../../../src/models/stores.ts';
import type { RatingStore, Rebuild, RollUpStore } from '../../../src/ports/analytics.ts';
import { turnPages, type Calls } from './calls.ts';
import { anEntry } from '../audit/an-entry.ts';

const LIMIT = 20;
const KEY = { subject: 'endings', date: '2026-01-05', part: '-|EUR' } as const;

type Subject = { readonly deliveryId: DeliveryId; readonly courierId: CourierId; readonly vendorId: VendorId };
type AnalyticsCalls = { rollUps: Calls<RollUpStore>; rebuild: Calls<Rebuild>; ratings: Calls<RatingStore> };

/** Calls of the stores of roll-ups and ratings. */
export function analyticsCalls(
  stores: Pick<Stores, 'rollUps' | 'rebuild' | 'ratings'>,
  { deliveryId, courierId, vendorId }: Subject,
): AnalyticsCalls {
  const range = { subject: 'endings', scope: vendorId, from: '2026-01-01', to: '2026-01-31' } as const;
  return {
    rollUps: {
      listDue: () => stores.rollUps.listDue(LIMIT),
      fold: async () => {
        const due = await stores.rollUps.listDue(LIMIT);
        await stores.rollUps.fold(due, [{ deliveryId, key: { ...KEY, scope: vendorId }, sums: { delivered: 1 } }]);
      },
      sum: () => stores.rollUps.sum(range),
      sumByPart: async () => {
        for (const subject of ['endings', 'places'] as const) {
          await stores.rollUps.sumByPart({ ...range, subject }, ['delivered']);
        }
      },
      rankParts: async () => {
        const couriers = { ...range, subject: 'couriers' } as const;
        await turnPages((after) => stores.rollUps.rankParts(couriers, ['delivered'], { limit: LIMIT, after }));
      },
      rankAll: async () => {
        for await (const _some of stores.rollUps.rankAll({ ...range, subject: 'couriers' }, ['delivered']));
      },
    },
    rebuild: {
      begin: () => stores.rebuild.begin(anEntry()),
      next: async () => {
        const generation = await stores.rebuild.begin(anEntry());
        await stores.rebuild.next(generation, LIMIT, async () => []);
      },
      sweep: () => stores.rebuild.sweep(),
    },
    ratings: {
      find: () => stores.ratings.find(`${deliveryId}:1`),
      put: () => stores.ratings.put(aRating({ deliveryId, vendorId, courierId })),
      listComments: async () => {
        for (const about of [{}, { vendorId }, { courierId }, { vendorId, courierId }]) {
          await turnPages((after) =>
            stores.ratings.listComments({ ...about, liveMode: true }, { limit: LIMIT, after }),
          );
        }
      },
    },
  };
}
