import type { mongo } from 'mongoose';
import { VEHICLE_TYPES, type VehicleType } from '../../domain/couriers/courier.ts';
import {
  areaOf,
  routedSumsOf,
  setOffSumsOf,
  type LegSample,
  type LegSums,
  type RoutedSums,
  type SetOffSums,
} from '../../domain/learning/travel.ts';
import type { Clock } from '../../ports/process.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { TRAVEL } from './learning-shapes.ts';

/** A cell or an area, which both are H3 cells, in one mode. */
export type TravelCell = { readonly cell: string; readonly liveMode: boolean };

/** The stored legs of a cell or an area, and a vehicle. */
export type StoredLegs = TravelCell & {
  readonly vehicle: VehicleType;
  readonly hours: ReadonlyMap<number, LegSums>;
  /** The legs whose way the routing server knew. */
  readonly routed: ReadonlyMap<number, RoutedSums>;
  /** The known departures with goods; null without any. */
  readonly setOff: SetOffSums | null;
  readonly changedAt: number;
};

export type TravelStore = {
  /** Adds each leg to those of its cell and to those of its area. */
  record(samples: readonly LegSample[]): Promise<void>;
  /** The stored legs of these cells and areas that have changed since then. `since` is the database's time in ms. */
  load(cells: readonly TravelCell[], since: number): Promise<readonly StoredLegs[]>;
};

/** Legs that an hour of the week remembers: five weeks of a cell with ten legs in that hour. Older ones fade. A row remembers as many departures. */
const MEMORY = 50;
/** Machine time for which a cell or an area without new legs is kept: 90 days, a season. */
const KEPT_MS = 90 * 24 * 3_600_000;

/** Legs in MongoDB: a document for each mode, cell or area, and vehicle, with at most 337 small sums (about 20 KB). */
export function createTravelStore(mongo: Mongo, clock: Clock): TravelStore {
  const rows = mongo.collection(TRAVEL);
  return {
    record: async (samples) => {
      if (samples.length === 0) return;
      const endsOn = new Date(clock.real.now() + KEPT_MS);
      const updates = samples.flatMap((sample) => {
        const update = addition(sample, endsOn);
        return [sample.cell, areaOf(sample.cell)].map((cell) => ({
          updateOne: { filter: { _id: idOf({ ...sample, cell }, sample.vehicle) }, update, upsert: true },
        }));
      });
      await rows.bulkWrite(updates, { ordered: false });
    },
    load: async (cells, since) => {
      const ids = new Map(
        cells.flatMap((cell) => VEHICLE_TYPES.map((vehicle) => [idOf(cell, vehicle), { ...cell, vehicle }])),
      );
      if (ids.size === 0) return [];
      const filter = { _id: { $in: [...ids.keys()] }, changedOn: { $gte: new Date(since) } };
      const found = await rows.find(filter, { projection: { endsOn: 0 } }).toArray();
      return found.flatMap(({ _id, hours, routed = {}, setOff = null, changedOn }) => {
        const of = ids.get(_id);
        if (of === undefined) return [];
        return [{ ...of, hours: byHour(hours), routed: byHour(routed), setOff, changedAt: changedOn.getTime() }];
      });
    },
  };
}

function idOf({ cell, liveMode }: TravelCell, vehicle: VehicleType): string {
  return `${liveMode ? 'live' : 'test'}:${cell}:${vehicle}`;
}

/** Adds a leg. The database computes the sums, so no leg of concurrent writers is lost. Old sums fade by 1/memory. */
function addition(sample: LegSample, endsOn: Date): mongo.Document[] {
  const { hour, metres, seconds } = sample;
  const sums = faded(`hours.h${hour}`, { metres, seconds, seen: 1 } satisfies LegSums);
  const along = routedSumsOf(sample);
  const routed = along === null ? {} : faded(`routed.h${hour}`, along);
  const departure = setOffSumsOf(sample);
  const setOff = departure === null ? {} : faded('setOff', departure);
  return [{ $set: { ...sums, ...routed, ...setOff, changedOn: '$$NOW', endsOn } }];
}

/** The sums at this path after a leg adds these figures. */
function faded(path: string, leg: Readonly<Record<string, number>>): mongo.Document {
  const keep = 1 - 1 / MEMORY;
  const added = Object.entries(leg).map(([name, add]) => [
    name,
    { $add: [{ $multiply: [keep, { $ifNull: [`$${path}.${name}`, 0] }] }, add] },
  ]);
  return { [path]: Object.fromEntries(added) as mongo.Document };
}

function byHour<Sums>(hours: Readonly<Record<string, Sums>>): ReadonlyMap<number, Sums> {
  return new Map(Object.entries(hours).map(([name, sums]) => [Number(name.slice(1)), sums]));
}
