/** What the matcher's tests share beside the builders: places by metres, and a run's input. */
import type { Courier } from '../../../src/domain/courier.ts';
import type { Delivery } from '../../../src/domain/delivery.ts';
import { offsetBy, type Coordinates } from '../../../src/domain/geo.ts';
import type { RunCourier } from '../../../src/dispatch/match/candidates.ts';
import type { RunInput } from '../../../src/dispatch/match/plan.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { aCourier, CENTER, NOON } from '../../builders.ts';

export const settings = defaultSettings();

/** The place so many metres east and north of the centre. */
export const at = (eastM: number, northM = 0): Coordinates => offsetBy(CENTER, eastM, northM);

export function runCourier(
  place: Coordinates,
  over: Partial<Courier> = {},
  held: readonly Delivery[] = [],
): RunCourier {
  return { courier: aCourier({ active: held.map(({ id }) => id), ...over }), place, held };
}

export function runInput(over: Partial<RunInput>): RunInput {
  return { now: NOON, settings, deliveries: [], couriers: [], openOffers: [], closedOffers: [], ...over };
}
