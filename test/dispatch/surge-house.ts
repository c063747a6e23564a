/** Shared by tests of surge and hints: a region with scarce cells, and its leader's watch on ports that remember. */
import type { RunInput } from '../../src/dispatch/regions/run/run-input.ts';
import { watchSurge } from '../../src/dispatch/surge/publish-surge.ts';
import type { Delivery } from '../../src/domain/deliveries/delivery.ts';
import { offsetBy, viewCellOf } from '../../src/domain/geo/geo.ts';
import { centerOf } from '../../src/domain/surge/surge.ts';
import { CENTER, NOON, aDelivery, aStop } from '../builders.ts';
import { handClock } from '../clock.ts';
import { keptHintTurns, keptLog, keptMetrics, keptNotices, keptSurge } from '../kept-ports.ts';
import { regionOf } from '../regions.ts';
import { recentOrder, runCourier, runInput, settings } from './match/fixtures.ts';

export const MINUTE = 60_000;
export const region = regionOf(CENTER);
/** The middle of the region, where the cells belong to the region itself. */
export const MIDDLE = centerOf(viewCellOf(centerOf(region)));
export const cell = viewCellOf(MIDDLE);
export const near = (eastM: number, northM = 0) => offsetBy(MIDDLE, eastM, northM);
/** Two cells to the east. */
export const [AWAY, away] = [near(4500), viewCellOf(near(4500))];

/** A delivery whose goods are ready this many minutes after noon. */
export function waiting(readyInMin: number, over: Partial<Delivery> = {}): Delivery {
  const window = { readyAt: NOON + readyInMin * MINUTE, deadlineAt: null };
  return aDelivery({ pickup: aStop(0, { place: MIDDLE, window }), liveMode: true, ...over });
}

/** A leader's watch on ports that remember. */
export function watch(over: Partial<Parameters<typeof watchSurge>[0]> = {}, ownsLease = () => true) {
  const kept = {
    clock: handClock(),
    log: keptLog(),
    metrics: keptMetrics(),
    notices: keptNotices(),
    surge: keptSurge(),
    hintTurns: keptHintTurns(),
  };
  return { ...kept, watch: watchSurge({ ...kept, settings, ...over }, { region, ownsLease, fence: () => 1 }) };
}

/** This many orders of the last hour and a half two cells to the east, and idle couriers here. */
export function lopsided(now: number, orders: number, idle: number, over: Partial<RunInput> = {}): RunInput {
  const ordered = aDelivery({ pickup: aStop(0, { place: AWAY }), liveMode: true });
  const recent = Array.from({ length: orders }, () => recentOrder(ordered, now));
  const couriers = Array.from({ length: idle }, (_, i) =>
    runCourier(near(i * 10), { liveMode: true, idleSinceAt: now - 10 * MINUTE }),
  );
  return runInput({ now, recent, couriers, deliveries: [waiting(0)], ...over });
}
