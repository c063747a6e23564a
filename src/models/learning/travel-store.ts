import type { mongo } from 'mongoose';
import { VEHICLE_TYPES, type VehicleType } from '../../domain/couriers/courier.ts';
import type { LegSample, LegSums } from '../../domain/learning/travel.ts';
import type { Clock } from '../../ports/process.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { TRAVEL, type TravelRow } from './learning-shapes.ts';

/** A cell in one mode. */
export type SpeedCell = { readonly cell: string; readonly liveMode: boolean };

/** The stored speeds of a cell and vehicle. */
export type StoredSpeeds = SpeedCell & {
  readonly vehicle: VehicleType;
  readonly hours: ReadonlyMap<number, LegSums>;
  readonly changedAt: number;
};

export type TravelStore = {
  record(samples: readonly LegSample[]): Promise<void>;
  /** The stored speeds of these cells that have changed since then. `since` is the database's time in ms. */
  load(cells: readonly SpeedCell[], since: number): Promise<readonly StoredSpeeds[]>;
};

/** Legs that an hour of the week remembers: five weeks of a cell with ten legs in that hour. Older ones fade. */
const MEMORY = 50;
/** Machine time for which a cell without new legs is kept: 90 days, a season. */
const KEPT_MS = 90 * 24 * 3_600_000;

/** Learned speeds in MongoDB: a document for each mode, cell and vehicle, with at most 168 small sums (about 10 KB). */
export function createTravelStore(mongo: Mongo, clock: Clock): TravelStore {
  const rows = mongo.collection(TRAVEL);
  return {
    record: async (samples) => {
      if (samples.length === 0) return;
      const endsOn = new Date(clock.real.now() + KEPT_MS);
      const updates = samples.map((sample) => ({
        updateOne: { filter: { _id: idOf(sample, sample.vehicle) }, update: addition(sample, endsOn), upsert: true },
      }));
      await rows.bulkWrite(updates, { ordered: false });
    },
    load: async (cells, since) => {
      const ids = new Map(
        cells.flatMap((cell) => VEHICLE_TYPES.map((vehicle) => [idOf(cell, vehicle), { ...cell, vehicle }])),
      );
      if (ids.size === 0) return [];
      const filter = { _id: { $in: [...ids.keys()] }, changedOn: { $gte: new Date(since) } };
      const found = await rows.find(filter, { projection: { endsOn: 0 } }).toArray();
      return found.flatMap(({ _id, hours, changedOn }) => {
        const of = ids.get(_id);
        return of === undefined ? [] : [{ ...of, hours: hoursOf(hours), changedAt: changedOn.getTime() }];
      });
    },
  };
}

function idOf({ cell, liveMode }: SpeedCell, vehicle: VehicleType): string {
  return `${liveMode ? 'live' : 'test'}:${cell}:${vehicle}`;
}

/** Adds a leg. The database computes the sums, so no leg of concurrent writers is lost. Old sums fade by 1/memory. */
function addition({ hour, metres, seconds }: LegSample, endsOn: Date): mongo.Document[] {
  const keep = 1 - 1 / MEMORY;
  const faded = (name: keyof LegSums, add: number): mongo.Document => ({
    $add: [{ $multiply: [keep, { $ifNull: [`$hours.h${hour}.${name}`, 0] }] }, add],
  });
  const sums = { metres: faded('metres', metres), seconds: faded('seconds', seconds), seen: faded('seen', 1) };
  return [{ $set: { [`hours.h${hour}`]: sums, changedOn: '$$NOW', endsOn } }];
}

function hoursOf(hours: TravelRow['hours']): ReadonlyMap<number, LegSums> {
  return new Map(Object.entries(hours).map(([name, sums]) => [Number(name.slice(1)), sums]));
}
