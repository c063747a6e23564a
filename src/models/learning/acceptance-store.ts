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
import type { AcceptanceStore } from '../../ports/learning.ts';
import type { Clock } from '../../ports/process.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { explainUnfit } from '../../engines/unfit-document.ts';
import { ACCEPTANCE, type AcceptanceRow } from './learning-shapes.ts';

/** Offers of a courier that are told apart. He has one open at a time, so whoever tells of one again does it soon. */
const MOST_RECENT = 8;
/** Machine time a row is kept after its last answer: ten half-lives, when it weighs a thousandth. */
const KEPT_MS = 10 * HALF_LIFE_MS;
/** Machine time a record may be read from memory: an answer more changes an estimate by little. */
const CACHE_MS = 60_000;
/** Records in memory; the ones read first go first. Above the couriers online around a city. */
const MOST_CACHED = 20_000;
/** Answers waiting to be written; further ones are lost. Minutes of a busy city, while the database hangs. */
const MOST_WAITING = 10_000;
/** Answers in one write. */
const MOST_WRITTEN = 500;

type Rows = mongo.Collection<AcceptanceRow>;

/** What couriers make of their offers. Reads are remembered for a while; writes go one after the other, in groups. */
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
        // An estimate that misses some answers is no worse than before, and nobody waits for this.
        mongo.log.warn(
          { answers: answers.length, error: String(explainUnfit(error)) },
          'answers to offers were not counted',
        );
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

/** Reads records, at most once within their life; `forget` makes the next read of a courier a fresh one. */
function rememberReads(
  rows: Rows,
  clock: Clock,
): { estimates: AcceptanceStore['estimates']; forget: (id: CourierId) => void } {
  const cache = new Map<CourierId, { readonly record: AcceptanceRecord | null; readonly until: number }>();
  /** For each read under way the couriers forgotten meanwhile: what it brings of them may be old. */
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
 * Adds an answer as the database computes it, so that of writers at once none is lost. What is there fades until the
 * answer's time, and an answer that comes late fades until the time of what is there: the order of answers changes
 * nothing.
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

/** The same as `fadeOver`, computed by the database. */
function fadedOver(ms: mongo.Document): mongo.Document {
  return { $pow: [2, { $divide: [{ $multiply: [-1, { $max: [0, ms] }] }, HALF_LIFE_MS] }] };
}
