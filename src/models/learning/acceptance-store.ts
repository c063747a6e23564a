import type { mongo } from 'mongoose';
import {
  answerOf,
  BAND_NAMES,
  HALF_LIFE_MS,
  type AcceptanceRecord,
  type Band,
  type OfferAnswer,
} from '../../domain/offers/acceptance.ts';
import type { CourierId } from '../../domain/ids.ts';
import type { AcceptanceStore } from '../../ports/dispatch/learning.ts';
import type { Clock } from '../../ports/process.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { explainUnfit } from '../../engines/shapes/unfit-document.ts';
import { ACCEPTANCE, type AcceptanceRow } from './learning-shapes.ts';

/** Size of `recent`. A courier has one open offer at a time, so a process that reports one again does it soon. */
const MOST_RECENT = 8;
/** Machine time for which a row is kept after its last answer: ten half-lives, when it weighs a thousandth. */
const KEPT_MS = 10 * HALF_LIFE_MS;
/** Machine time for which a record is read from memory. One more answer changes an estimate only a little. */
const CACHE_MS = 60_000;
/** Most records in memory, more than a city has couriers online. The ones read first are dropped first. */
const MOST_CACHED = 20_000;
/** Most answers that wait for a write: minutes of a busy city while the database hangs. Further ones are lost. */
const MOST_WAITING = 10_000;
/** Most answers in one write. */
const MOST_WRITTEN = 500;

type Rows = mongo.Collection<AcceptanceRow>;

/** Stores how couriers answer offers. It caches reads for a while. Writes are grouped and come one after the other. */
export function createAcceptanceStore(mongo: Mongo, clock: Clock): AcceptanceStore {
  const rows = mongo.collection(ACCEPTANCE);
  const { estimates, forget } = rememberReads(rows, clock);
  const waiting: OfferAnswer[] = [];
  let isWriting = false;

  const writeAll = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const answers = waiting.splice(0, MOST_WRITTEN);
      const endsOn = new Date(clock.real.now() + KEPT_MS);
      try {
        await rows.bulkWrite(
          answers.map((answer) => addition(answer, endsOn)),
          { ordered: false },
        );
      } catch (error) {
        // An estimate without these answers is no worse than before, and callers do not wait for this write.
        mongo.log.warn({ answers: answers.length, error: explainUnfit(error) }, 'answers to offers were not counted');
      }
      for (const { courierId } of answers) forget(courierId);
    }
    isWriting = false;
  };

  return {
    estimates,
    record: (closed) => {
      const answer = answerOf(closed);
      if (answer === null || waiting.length >= MOST_WAITING) return;
      waiting.push(answer);
      if (!isWriting) void writeAll();
    },
  };
}

/** Reads each record at most once within its lifetime in memory. After `forget`, a courier is read again. */
function rememberReads(
  rows: Rows,
  clock: Clock,
): { estimates: AcceptanceStore['estimates']; forget: (id: CourierId) => void } {
  const cache = new Map<CourierId, { readonly record: AcceptanceRecord | null; readonly until: number }>();
  /** For each read in flight, the couriers forgotten meanwhile. Its records of them may be stale. */
  const reads = new Set<Set<CourierId>>();

  const remember = (id: CourierId, record: AcceptanceRecord | null): void => {
    cache.delete(id);
    cache.set(id, { record, until: clock.real.elapsed() + CACHE_MS });
    for (const oldest of cache.keys()) {
      if (cache.size <= MOST_CACHED) break;
      cache.delete(oldest);
    }
  };

  const read = async (ids: readonly CourierId[]): Promise<ReadonlyMap<CourierId, AcceptanceRecord>> => {
    const changed = new Set<CourierId>();
    reads.add(changed);
    try {
      const found = await rows.find({ _id: { $in: [...ids] } }, { projection: { at: 1, bands: 1 } }).toArray();
      const records = new Map(found.map(({ _id, at, bands }) => [_id, { at, bands }]));
      for (const id of ids) if (!changed.has(id)) remember(id, records.get(id) ?? null);
      return records;
    } finally {
      reads.delete(changed);
    }
  };

  return {
    estimates: async (courierIds) => {
      const now = clock.real.elapsed();
      const records = new Map<CourierId, AcceptanceRecord>();
      const missing: CourierId[] = [];
      for (const id of courierIds) {
        const entry = cache.get(id);
        if (entry === undefined || entry.until <= now) missing.push(id);
        else if (entry.record !== null) records.set(id, entry.record);
      }
      if (missing.length > 0) for (const [id, record] of await read(missing)) records.set(id, record);
      return records;
    },
    forget: (id) => {
      cache.delete(id);
      for (const changed of reads) changed.add(id);
    },
  };
}

/**
 * Adds an answer. The database computes the sum, so that no answer of concurrent writers is lost. The stored sums fade
 * until the answer's time. A late answer instead fades until the time of the stored sums. So the order of answers does
 * not matter.
 */
function addition(
  { courierId, offerId, band, isYes, at }: OfferAnswer,
  endsOn: Date,
): mongo.AnyBulkWriteOperation<AcceptanceRow> {
  const bands = Object.fromEntries(BAND_NAMES.map((name) => [name, tallyOf(name, name === band, isYes)]));
  const row = {
    _id: '$_id',
    at: { $max: ['$$from', at] },
    bands,
    recent: { $slice: [{ $concatArrays: ['$$recent', [offerId]] }, -MOST_RECENT] },
    endsOn,
  };
  const faded = { from: { $ifNull: ['$at', at] }, recent: { $ifNull: ['$recent', []] } };
  const weights = {
    kept: fadedOver({ $subtract: [at, '$$from'] }),
    weight: fadedOver({ $subtract: ['$$from', at] }),
  };
  const added = { $cond: [{ $in: [offerId, '$$recent'] }, '$$ROOT', row] };
  const whole = { $let: { vars: faded, in: { $let: { vars: weights, in: added } } } };
  return { updateOne: { filter: { _id: courierId }, update: [{ $replaceWith: whole }], upsert: true } };
}

function tallyOf(name: Band, isOwn: boolean, isYes: boolean): mongo.Document {
  const plus = (field: 'asked' | 'accepted', counts: boolean): mongo.Document => {
    const old = { $multiply: ['$$kept', { $ifNull: [`$bands.${name}.${field}`, 0] }] };
    return counts ? { $add: [old, '$$weight'] } : old;
  };
  return { asked: plus('asked', isOwn), accepted: plus('accepted', isOwn && isYes) };
}

/** Does the same as `fadeOver`, but in the database. */
function fadedOver(ms: mongo.Document): mongo.Document {
  return { $pow: [2, { $divide: [{ $multiply: [-1, { $max: [0, ms] }] }, HALF_LIFE_MS] }] };
}
