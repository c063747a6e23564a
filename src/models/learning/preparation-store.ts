import type { mongo } from 'mongoose';
import type { LearnedSpan, PreparationKey, PreparationSample } from '../../domain/learning/preparation.ts';
import type { LearningRule, PreparationStore } from '../../ports/dispatch/learning.ts';
import type { Clock } from '../../ports/process.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { PREPARATION } from './learning-shapes.ts';

/** The width of one entry of a histogram. A courier's arrival cannot be planned more exactly. */
const BIN_MS = 60_000;
/** Longer preparations count as this long: 90 min, more than the 60 min of search and of delays. */
const BINS = 90;
/** Machine time for which a histogram is kept after its last sample: 90 days, a season. */
const KEPT_MS = 90 * 24 * 3_600_000;

/** Histograms of preparation: by vendor, by pickup place, and by place and hour. Each write is one atomic update. */
export function createPreparationStore(mongo: Mongo, clock: Clock): PreparationStore {
  const rows = mongo.collection(PREPARATION);
  return {
    findMany: async (keys) => {
      const ids = [...new Set(keys.flatMap((key) => Object.values(idsOf(key))))];
      if (ids.length === 0) return [];
      const found = await rows
        .find<LearnedSpan & { _id: string }>({ _id: { $in: ids } }, { projection: { ms: 1, seen: 1 } })
        .toArray();
      const spans = new Map(found.map(({ _id, ...span }) => [_id, span]));
      return keys.map((key) => {
        const { hour, location, vendor } = idsOf(key);
        const spanOf = (id: string): LearnedSpan | null => spans.get(id) ?? null;
        return { hour: spanOf(hour), location: spanOf(location), vendor: spanOf(vendor) };
      });
    },
    record: async (samples, rule) => {
      if (samples.length === 0) return;
      const endsOn = new Date(clock.real.now() + KEPT_MS);
      const updates = samples.flatMap((sample) => {
        const update = addition(sample, rule, endsOn);
        return Object.values(idsOf(sample)).map((_id) => ({
          updateOne: { filter: { _id }, update, upsert: true },
        }));
      });
      await rows.bulkWrite(updates);
    },
  };
}

function idsOf({ vendorId, liveMode, cell, hour }: PreparationKey): { hour: string; location: string; vendor: string } {
  const vendor = `${vendorId}:${liveMode ? 'live' : 'test'}`;
  return { vendor, location: `${vendor}:${cell}`, hour: `${vendor}:${cell}:${hour}` };
}

/**
 * Adds a sample. The database computes the sum, so that no sample of concurrent writers is lost. Every entry fades by
 * 1/memory, and the sample adds 1.
 *
 * A sample that only says "ready by then" is spread over the entries up to then, in proportion to their counts. This is
 * the self-consistent step for a censored sample (Efron 1967, mirrored; Turnbull 1976). Without it only waits would
 * count, and the estimate would climb for ever. If there are no counts up to then, the sample counts as ready at once.
 * Couriers then come early, and their waits reveal the real time.
 */
function addition(
  { ms, isBound }: PreparationSample,
  { quantile, memory }: LearningRule,
  endsOn: Date,
): mongo.Document[] {
  const bin = Math.min(BINS - 1, Math.floor(ms / BIN_MS));
  const old = { $ifNull: [{ $arrayElemAt: ['$counts', '$$bin'] }, 0] };
  const isUpTo = { $lte: ['$$bin', bin] };
  const exact = { $cond: [{ $eq: ['$$bin', bin] }, 1, 0] };
  const spread = {
    $cond: [
      { $gt: ['$$below', 0] },
      { $cond: [isUpTo, { $divide: [old, '$$below'] }, 0] },
      { $cond: [{ $eq: ['$$bin', 0] }, 1, 0] },
    ],
  };
  const keep = 1 - 1 / memory;
  const entry = { $add: [{ $multiply: [keep, old] }, isBound ? spread : exact] };
  const below = { $sum: { $slice: [{ $ifNull: ['$counts', [0]] }, bin + 1] } };
  const counts = {
    $let: { vars: { below }, in: { $map: { input: { $range: [0, BINS] }, as: 'bin', in: entry } } },
  };
  const seen = { $add: [{ $multiply: [keep, { $ifNull: ['$seen', 0] }] }, isBound ? 0 : 1] };
  return [{ $set: { counts, seen, endsOn } }, { $set: { ms: quantileOf(quantile) } }];
}

/** The quantile of `counts` in ms, linear within an entry. */
function quantileOf(quantile: number): mongo.Document {
  const target = { $multiply: [quantile, { $sum: '$counts' }] };
  const { bin, sum, at } = { bin: '$$value.bin', sum: '$$value.sum', at: '$$value.at' };
  const share = { $divide: [{ $subtract: ['$$target', sum] }, '$$this'] };
  const isHere = { $and: [{ $gt: ['$$this', 0] }, { $gte: [{ $add: [sum, '$$this'] }, '$$target'] }] };
  const walked = {
    $reduce: {
      input: '$counts',
      initialValue: { bin: 0, sum: 0, at: null },
      in: {
        bin: { $add: [bin, 1] },
        sum: { $add: [sum, '$$this'] },
        at: { $cond: [{ $and: [{ $eq: [at, null] }, isHere] }, { $add: [bin, share] }, at] },
      },
    },
  };
  const found = { $getField: { field: 'at', input: walked } };
  return { $let: { vars: { target }, in: { $round: [{ $multiply: [found, BIN_MS] }] } } };
}
