import type { PositionItem } from '../../src/realtime/protocol.ts';

export type CourierState = 'idle' | 'busy' | 'stale';

/** A courier on the map; `at` is service time in epoch ms. */
export type FleetCourier = {
  readonly id: string;
  readonly deliveryId: string | null;
  readonly at: number;
  readonly lat: number;
  readonly lng: number;
  readonly heading: number;
};

/** Without a position for this long, a courier is shown as stale, and later removed; ms of service time. */
export const STALE_MS = 60_000;
const GONE_MS = 5 * 60_000;

/** The shortest and the longest wait between two draws of moved couriers, ms of machine time. */
const [SHORTEST_DRAW_MS, LONGEST_DRAW_MS] = [250, 2000];

/** The positions of all couriers. The map reads them at its own rate, without components. */
export type Fleet = {
  readonly couriers: ReadonlyMap<string, FleetCourier>;
  /** Increases with every change. */
  readonly version: number;
  take(items: readonly PositionItem[]): void;
  /** Notices couriers without a position, and removes those without one for a long time. */
  sweep(now: number): void;
};

export function createFleet(): Fleet {
  const couriers = new Map<string, FleetCourier>();
  let [version, sweptAt] = [0, 0];
  return {
    couriers,
    get version() {
      return version;
    },
    take: (items) => {
      for (const [id, deliveryId, at, lat, lng, heading] of items) {
        if (id === null || at < (couriers.get(id)?.at ?? 0)) continue;
        couriers.set(id, { id, deliveryId, at, lat, lng, heading });
        version += 1;
      }
    },
    sweep: (now) => {
      for (const { id, at } of couriers.values()) {
        const isGone = now - at > GONE_MS;
        if (isGone) couriers.delete(id);
        // Stale couriers are drawn in another way.
        const isNewlyStale = now - at > STALE_MS && sweptAt - at <= STALE_MS;
        if (isGone || isNewlyStale) version += 1;
      }
      sweptAt = now;
    },
  };
}

export function courierState({ at, deliveryId }: Pick<FleetCourier, 'at' | 'deliveryId'>, now: number): CourierState {
  if (now - at > STALE_MS) return 'stale';
  return deliveryId === null ? 'idle' : 'busy';
}

export function countFleet(fleet: Fleet, now: number): Record<CourierState, number> {
  const counts: Record<CourierState, number> = { idle: 0, busy: 0, stale: 0 };
  for (const courier of fleet.couriers.values()) counts[courierState(courier, now)] += 1;
  return counts;
}

/**
 * The wait before the map draws moved couriers again: one millisecond for each of them. A draw is of all couriers, so its time
 * grows with their number.
 */
export function drawEveryMs(couriers: number): number {
  return Math.min(LONGEST_DRAW_MS, Math.max(SHORTEST_DRAW_MS, couriers));
}
