/** Shared by the matcher's tests beside the builders: places by metres, and a run's input. */
import type { Courier } from '../../../src/domain/couriers/courier.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { offsetBy, type Coordinates } from '../../../src/domain/geo/geo.ts';
import type { RunInput } from '../../../src/dispatch/regions/run/run-input.ts';
import type { RecentOrder } from '../../../src/domain/regions/region-now.ts';
import type { RunCourier } from '../../../src/domain/regions/start.ts';
import { expectedReadyAt } from '../../../src/domain/learning/preparation.ts';
import { UNLEARNED_WAYS } from '../../../src/domain/learning/travel.ts';
import { surgeCellOf } from '../../../src/domain/surge/surge.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { aCourier, CENTER, NOON } from '../../builders.ts';

export const settings = defaultSettings();

/** The place so many metres east and north of the centre. */
export const at = (eastM: number, northM = 0): Coordinates => offsetBy(CENTER, eastM, northM);

export function runCourier(
  place: Coordinates,
  over: Partial<Courier> = {},
  assigned: readonly Delivery[] = [],
): RunCourier {
  return { courier: aCourier({ active: assigned.map(({ id }) => id), ...over }), place, assigned };
}

export function recentOrder(delivery: Delivery, readyAt: number): RecentOrder {
  return { delivery, readyAt, cell: surgeCellOf(delivery.pickup.place, delivery.region) };
}

export function runInput(over: Partial<RunInput>): RunInput {
  return {
    now: NOON,
    settings,
    deliveries: [],
    couriers: [],
    openOffers: [],
    closedOffers: [],
    readyAt: (delivery) => expectedReadyAt(delivery, null),
    isEstimate: () => false,
    acceptance: new Map(),
    travel: { ...UNLEARNED_WAYS, legs: (pairs) => new Float64Array(pairs.length).fill(NaN) },
    candidates: [],
    recent: [],
    ...over,
  };
}
