import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { mongo } from 'mongoose';
import { isAboutOffer, type DecisionRow, type RunRecord, type StoredRun } from '../../domain/offers/decision.ts';
import type { DeliveryId, RunId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import type { Page, PageRequest } from '../../ports/pages.ts';
import type { DecisionStore } from '../../ports/dispatch/regions.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { explainUnfit } from '../../engines/shapes/unfit-document.ts';
import { pageOf, rowsAfter } from '../../engines/pages.ts';
import { pack, unpack } from './pack.ts';
import { DECISIONS, DISPATCH_RUNS, type DecisionDoc, type RunDoc } from './decision-shapes.ts';

type Needs = Pick<Context, 'clock' | 'metrics'> & {
  readonly mongo: Mongo;
  readonly settings: Pick<Context['settings'], 'decisions'>;
};

/** Most runs that wait for a write: a few seconds of all regions that a process leads. Further ones are dropped. */
const MOST_WAITING = 64;
/** If a packed request or answer is larger, only the run's hash and decisions are stored. MongoDB allows 16 MB. */
const MOST_PACKED_BYTES = 8_388_608;
const HOUR_MS = 3_600_000;

const compress = promisify(gzip);
const expand = promisify(gunzip);

/**
 * The log of the matcher's decisions and their inputs. Rows expire by a TTL index, since a capped collection cannot be
 * sharded. A TTL does not bound the bytes per hour, so each process does that itself.
 */
export function createDecisionStore({ mongo, clock, metrics, settings }: Needs): DecisionStore {
  const runs = mongo.collection(DISPATCH_RUNS);
  const decisions = mongo.collection(DECISIONS);
  const { keepRealMs, bytesPerRealHour } = settings.decisions;
  const inputs = hourlyBudget(clock, bytesPerRealHour);
  const tentative = hourlyBudget(clock, bytesPerRealHour);
  const waiting: RunRecord[] = [];
  let isWriting = false;
  let isFailing = false;

  const count = (result: 'whole' | 'in_part' | 'failed' | 'dropped'): void =>
    metrics.count('dispatch_decisions_total', { result });

  const write = async (run: RunRecord): Promise<void> => {
    const endsOn = new Date(clock.real.now() + keepRealMs);
    const doc = await documentOf(run, endsOn, inputs);
    const kept = rowsOf(run, tentative);
    await runs.insertOne(doc);
    const rows = kept.map((row) => ({ ...row, _id: `${row.runId}.${row.deliveryId}`, endsOn }));
    if (rows.length > 0) await decisions.insertMany(rows, { ordered: false });
    count(doc.request === null || kept.length < run.decisions.length ? 'in_part' : 'whole');
  };

  const writeAll = async (): Promise<void> => {
    isWriting = true;
    for (;;) {
      // Packing a large run takes some milliseconds. It must not delay the run itself, nor other work twice in a row.
      await new Promise((resolve) => setImmediate(resolve));
      const run = waiting.shift();
      if (run === undefined) break;
      try {
        await write(run);
        isFailing = false;
      } catch (error) {
        // A log with gaps is better than a run that waits for its log. Only the first of several failures is logged.
        count('failed');
        if (isFailing || mongo.log.covers(error)) continue;
        isFailing = true;
        mongo.log.warn({ runId: run.id, error: explainUnfit(error) }, 'a run was not stored');
      }
    }
    isWriting = false;
  };

  return {
    record: (run) => {
      if (waiting.length >= MOST_WAITING) return count('dropped');
      waiting.push(run);
      if (!isWriting) void writeAll();
    },
    list: (deliveryId, page) => list(decisions, deliveryId, page),
  };
}

/** Finds a stored run, or null. It never refuses, since a tool for inspection reads it and not a caller. */
export async function findRun(mongo: Mongo, id: RunId): Promise<StoredRun | null> {
  const doc = await mongo.collection(DISPATCH_RUNS).findOne({ _id: id });
  if (doc === null) return null;
  const { _id, request, answer, endsOn: _, ...facts } = doc;
  return { ...facts, id: _id, request: await opened(request), answer: await opened(answer) };
}

/** Returns the hash of packed data. Only equal data have equal hashes. */
export function hashOf(packed: Uint8Array): string {
  return createHash('sha256').update(packed).digest('hex');
}

type Budget = { take(bytes: number): boolean };

/** The decisions of a run. If they exceed the bytes per hour, only the few about offers. */
function rowsOf({ decisions }: RunRecord, budget: Budget): readonly DecisionRow[] {
  const others = decisions.filter((row) => !isAboutOffer(row));
  return others.length === 0 || budget.take(pack(others).length) ? decisions : decisions.filter(isAboutOffer);
}

async function documentOf(run: RunRecord, endsOn: Date, budget: Budget): Promise<RunDoc> {
  const { id, region, fence, at, tookMs, rounds, seed } = run;
  const facts = { _id: id, region, fence, at, tookMs, rounds, seed };
  const packed = { request: pack(run.request), answer: pack(run.answer) };
  const bare = { ...facts, inputsHash: hashOf(packed.request), request: null, answer: null, endsOn };
  if (Math.max(packed.request.length, packed.answer.length) > MOST_PACKED_BYTES) return bare;
  const small = { request: await compress(packed.request), answer: await compress(packed.answer) };
  if (!budget.take(small.request.length + small.answer.length)) return bare;
  return { ...bare, ...small };
}

async function opened(bytes: mongo.Binary | Uint8Array | null): Promise<unknown> {
  if (bytes === null) return null;
  const compressed = bytes instanceof Uint8Array ? bytes : bytes.buffer;
  return unpack(await expand(compressed, { maxOutputLength: MOST_PACKED_BYTES }));
}

/** Allows this many bytes in each hour of machine time. */
function hourlyBudget({ real }: Context['clock'], bytesPerHour: number): Budget {
  let hour = -1;
  let left = 0;
  return {
    take: (bytes) => {
      const now = Math.floor(real.elapsed() / HOUR_MS);
      if (now !== hour) [hour, left] = [now, bytesPerHour];
      if (bytes > left) return false;
      left -= bytes;
      return true;
    },
  };
}

async function list(
  decisions: mongo.Collection<DecisionDoc>,
  deliveryId: DeliveryId,
  { limit, after }: PageRequest,
): Promise<Page<DecisionRow>> {
  const order = { at: -1, runId: -1 } as const;
  const rows: readonly DecisionRow[] = await decisions
    .find({ deliveryId, ...rowsAfter(after, order) }, { projection: { _id: 0, endsOn: 0 } })
    .sort(order)
    .limit(limit + 1)
    .toArray();
  return pageOf(rows, limit, ({ at, runId }) => ({ at, id: runId }));
}
