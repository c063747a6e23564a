import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { DecisionRow, RunRecord } from '../../../src/domain/offers/decision.ts';
import { newId, type DeliveryId } from '../../../src/domain/ids.ts';
import { createDecisionStore, findRun, hashOf } from '../../../src/models/regions/decision-store.ts';
import type { Mongo } from '../../../src/engines/mongo.ts';
import { pack } from '../../../src/models/regions/pack.ts';
import { readRunFile, writeRunFile } from '../../../src/models/regions/run-file.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { NOON } from '../../builders.ts';
import { handClock } from '../../clock.ts';
import { keptLog, keptMetrics } from '../../kept-ports.ts';
import { until } from '../../until.ts';
import { CLOCK, openHouse } from '../../engines/mongo-house.ts';

const { mongo } = await openHouse('decisions');
const MOST_WAITING = 64;

/** A process that writes to this database, or to the one of `over`. */
function storeOf(over: Partial<Mongo> = {}, bytesPerRealHour = 10_000_000, clock = CLOCK) {
  const metrics = keptMetrics();
  const settings = { decisions: { ...defaultSettings().decisions, bytesPerRealHour } };
  const store = createDecisionStore({ mongo: { ...mongo, ...over }, clock, metrics, settings });
  const countOf = (result: string): number => metrics.counts.get(`dispatch_decisions_total ${result}`) ?? 0;
  return { ...store, countOf };
}

function aRun(over: Partial<RunRecord> = {}, deliveryId: DeliveryId = newId('del')): RunRecord {
  const id = newId('run');
  const at = over.at ?? NOON;
  const candidates = [{ courierId: newId('cou'), arriveS: 60.5, aloneS: 900, priceS: 3, acceptance: 0.8 }];
  const row: DecisionRow = {
    runId: id,
    deliveryId,
    at,
    verdict: 'offered',
    courierId: candidates[0]!.courierId,
    costS: 903.5,
    asked: [candidates[0]!.courierId],
    candidates,
  };
  const facts = { id, region: 'r', fence: 3, at, tookMs: 40, rounds: 16, seed: 7 };
  const request = { world: { x: Float64Array.of(1, -0, Infinity) }, seed: 7 };
  return { ...facts, request, answer: { rounds: 16, decisions: [] }, decisions: [row], ...over };
}

const firstPage = { limit: 20, after: null };

test('[O41] a run is stored with its facts, the hash of its inputs, and its unchanged inputs', async () => {
  const store = storeOf();
  const run = aRun();
  store.record(run);
  await until(() => store.countOf('whole') === 1);
  const { decisions, ...kept } = run;
  expect(await findRun(mongo, run.id)).toEqual({ ...kept, inputsHash: hashOf(pack(run.request)) });
  expect(await store.list(decisions[0]!.deliveryId, firstPage)).toEqual({ items: decisions, next: null });
  expect(await findRun(mongo, newId('run'))).toBeNull();
});

test('[O41] an exported run is read back unchanged, and a file with other inputs is refused', async () => {
  const store = storeOf();
  const run = aRun();
  store.record(run);
  await until(() => store.countOf('whole') === 1);
  const kept = (await findRun(mongo, run.id))!;
  expect(await readRunFile(await writeRunFile(kept))).toEqual(kept);
  const forged = { ...kept, request: { ...run.request, seed: 8 } };
  await expect(readRunFile(await writeRunFile(forged))).rejects.toThrow('not the logged ones');
  await expect(readRunFile(Buffer.from('a text'))).rejects.toThrow();
});

test('[O45] the decisions of a delivery are paged, newest first and each once, also those of the same moment', async () => {
  const store = storeOf();
  const deliveryId = newId('del');
  const runs = Array.from({ length: 7 }, (_, i) => aRun({ at: NOON + Math.floor(i / 2) * 1000 }, deliveryId));
  for (const run of [...runs, aRun()]) store.record(run);
  await until(() => store.countOf('whole') === 8);
  const seen: string[] = [];
  for (let page = await store.list(deliveryId, { limit: 3, after: null }); ;) {
    seen.push(...page.items.map(({ runId }) => runId));
    if (page.next === null) break;
    page = await store.list(deliveryId, { limit: 3, after: page.next });
  }
  const order = (a: RunRecord, b: RunRecord) => b.at - a.at || (a.id < b.id ? 1 : -1);
  expect(seen).toEqual(runs.toSorted(order).map(({ id }) => id));
});

test('[O43] a store that hangs does not delay runs: a limited number waits, and further ones are dropped and counted', async () => {
  let letGo = (): void => undefined;
  const hanging = new Promise<void>((resolve) => (letGo = resolve));
  const collection: Mongo['collection'] = (of) => {
    const real = mongo.collection(of);
    return new Proxy(real, {
      get: (target, key) =>
        key === 'insertOne' ? (doc: never) => hanging.then(() => target.insertOne(doc)) : Reflect.get(target, key),
    }) as never;
  };
  const store = storeOf({ collection });
  const runs = Array.from({ length: 200 }, () => aRun());
  for (const run of runs) store.record(run);
  expect(store.countOf('dropped')).toBe(200 - MOST_WAITING);
  expect(store.countOf('whole')).toBe(0);
  letGo();
  await until(() => store.countOf('whole') === MOST_WAITING);
  expect(await findRun(mongo, runs[MOST_WAITING - 1]!.id)).not.toBeNull();
  expect(await findRun(mongo, runs[MOST_WAITING]!.id)).toBeNull();
  // Once there is room again, the next run is stored.
  store.record(runs[199]!);
  await until(() => store.countOf('whole') === MOST_WAITING + 1);
});

test('[O43] a store that fails, or a run that cannot be packed, throws nothing; the first of several failures is logged', async () => {
  const log = keptLog();
  const store = storeOf({ log });
  const twice = aRun();
  store.record(twice);
  await until(() => store.countOf('whole') === 1);
  for (let i = 0; i < 5; i += 1) store.record(twice);
  store.record(aRun({ request: { at: new Date(0) } }));
  await until(() => store.countOf('failed') === 6);
  expect(log.lines).toMatchObject([{ level: 'warn', message: 'a run was not stored' }]);
  store.record(aRun());
  await until(() => store.countOf('whole') === 2);
});

test('[O44] if a run is too large or exceeds the bytes per hour, its hash and decisions are stored, or at least its offers', async () => {
  const large = aRun({ request: { x: new Float64Array(1_048_577) } });
  const store = storeOf();
  store.record(large);
  await until(() => store.countOf('in_part') === 1);
  const inputsHash = hashOf(pack(large.request));
  expect(await findRun(mongo, large.id)).toMatchObject({ inputsHash, rounds: 16, request: null, answer: null });
  expect((await store.list(large.decisions[0]!.deliveryId, firstPage)).items).toEqual(large.decisions);

  const heavy = () => aRun({ request: { x: Uint8Array.from(randomBytes(60_000)) } });
  // The clock stands still, because a new hour would allow its bytes again.
  const small = storeOf({}, 130_000, handClock(CLOCK.now()));
  for (const run of [heavy(), heavy(), heavy(), heavy()]) small.record(run);
  await until(() => small.countOf('whole') + small.countOf('in_part') === 4);
  expect(small.countOf('whole')).toBe(2);

  // Offers are still stored, but deliveries that only changed their place in the plan are not.
  const [row] = aRun().decisions as [DecisionRow];
  const tentative = { ...row, deliveryId: newId('del'), verdict: 'not_due' as const };
  const none = storeOf({}, 0);
  none.record(aRun({ decisions: [row, tentative] }));
  await until(() => none.countOf('in_part') === 1);
  expect((await none.list(row.deliveryId, firstPage)).items).toEqual([row]);
  expect((await none.list(tentative.deliveryId, firstPage)).items).toEqual([]);
});

test('[O44] runs and decisions end after the retention time, by an index that works on a sharded cluster too', async () => {
  const store = storeOf();
  const run = aRun();
  const before = CLOCK.real.now();
  store.record(run);
  await until(() => store.countOf('whole') === 1);
  for (const name of ['dispatch_runs', 'decisions'] as const) {
    const rows = mongo.db.collection<{ endsOn: Date; id?: string }>(name);
    const newest = await rows.find().sort({ endsOn: -1 }).limit(1).next();
    expect(newest!.endsOn.getTime()).toBeGreaterThanOrEqual(before + 259_200_000);
    const ttl = (await rows.indexes()).filter(({ expireAfterSeconds }) => expireAfterSeconds === 0);
    expect(ttl).toMatchObject([{ key: { endsOn: 1 } }]);
    expect(await rows.isCapped()).toBe(false);
  }
});
