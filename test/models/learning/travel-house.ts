/** Shared by tests of learned travel times. */
import { latLngToCell } from 'h3-js';
import { VEHICLE_TYPES } from '../../../src/domain/couriers/courier.ts';
import { offsetBy, type Coordinates } from '../../../src/domain/geo/geo.ts';
import type { LegSample } from '../../../src/domain/learning/travel.ts';
import { createTravelStore } from '../../../src/models/learning/travel-store.ts';
import { createTravelTimes } from '../../../src/models/learning/travel-times.ts';
import { atEnd } from '../../at-end.ts';
import { CENTER, NOON } from '../../builders.ts';
import { handClock } from '../../clock.ts';
import { CLOCK, openHouse } from '../../engines/mongo-house.ts';
import { keptLog, keptTravel } from '../../kept-ports.ts';

const SCOOTER = VEHICLE_TYPES.indexOf('scooter');
/** Noon of a Monday. */
export const HOUR = 12;
export const cellOf = ({ lat, lng }: Coordinates): string => latLngToCell(lat, lng, 7);

let used = 0;
/** A place in an area that no other test has. */
export function freshPlace(): Coordinates {
  used += 1;
  return offsetBy(CENTER, used * 50_000, 0);
}

export function aSample(from: Coordinates, speedMps: number, over: Partial<LegSample> = {}): LegSample {
  const seconds = 400;
  const way = { metres: speedMps * seconds, seconds };
  return { cell: cellOf(from), hour: HOUR, vehicle: 'scooter', liveMode: true, ...way, ...over };
}
export const many = (count: number, sample: LegSample): LegSample[] => Array.from({ length: count }, () => sample);

/** A database with learned legs, and processes that read it. */
export async function openLearned(name: string) {
  const { mongo } = await openHouse(name);
  const travelHere = (over: Partial<Parameters<typeof createTravelTimes>[0]> = {}) => {
    // The database deletes expired rows by its own time.
    const clock = handClock(Date.now());
    const log = keptLog();
    const legs = ({ length }: readonly unknown[]): Float64Array => new Float64Array(length).fill(NaN);
    const router = { ...keptTravel(), legs, close: () => undefined };
    const travel = createTravelTimes({ mongo, router, clock, log, ...over });
    atEnd(async () => travel.close());
    const scooterAt = (place: Coordinates, liveMode = true, at = NOON): number =>
      travel.speedsAt([place], at, liveMode)[SCOOTER] ?? NaN;
    /** Lets the process read the cells that were requested. */
    const look = (ms = 1000): Promise<void> => clock.advance(ms);
    return { travel, log, scooterAt, look };
  };
  return { mongo, store: createTravelStore(mongo, CLOCK), travelHere };
}
