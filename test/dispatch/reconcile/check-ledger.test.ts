import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createClock } from '../../../src/clock.ts';
import { checkIfDue, startCheckingLedger } from '../../../src/dispatch/reconcile/check-ledger.ts';
import { startCensus } from '../../../src/dispatch/due/report-census.ts';
import { createMetrics } from '../../../src/metrics.ts';
import { createCensus } from '../../../src/models/census.ts';
import { ENTRIES } from '../../../src/models/ledger/ledger-shapes.ts';
import { checkInPieces, verifyLedger } from '../../../src/models/ledger/verify-ledger.ts';
import { isCheckDue, type LedgerCheck } from '../../../src/money/ledger/check.ts';
import type { LedgerChecks } from '../../../src/ports/ledger.ts';
import { openHouse, SETTINGS } from '../../engines/mongo-house.ts';
import { keptLog } from '../../kept-ports.ts';
import { aCharge, aCredit, aWallet } from '../../money/ledger/commands.ts';
import { ODD } from '../../odd-rows.ts';
import { until } from '../../until.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A midnight, UTC. */
const MIDNIGHT = Date.UTC(2026, 0, 5);
const PIECE = 500;
const isOurs = () => true;

const house = await openHouse('check-ledger');
const { ledger, ledgerChecks, mongo } = house;
const settings = SETTINGS;
const clock = createClock();

beforeAll(async () => {
  const wallet = aWallet();
  await ledger.post(aCredit('credit', wallet, 5000), null);
  const charges = Array.from({ length: 1200 }, (_, at) => ledger.post(aCharge(`charge ${at}`, wallet, 1), null));
  await Promise.all(charges);
  while ((await ledger.seal(PIECE)) > 0);
  await ledger.post(aCharge('not sealed yet', wallet, 1), null);
});

/** A server whose service time is `now`. */
function serverAt(now: number) {
  const log = keptLog();
  const at = { ...clock, now: () => now };
  return { log, check: () => checkIfDue({ clock: at, ledgerChecks, log, settings }, isOurs) };
}

/** The figures of the ledger in the metrics at this service time. */
async function figuresAt(now: number): Promise<string[]> {
  const metrics = createMetrics();
  const leases = { tryHold: () => Promise.resolve(1), release: () => Promise.resolve() };
  const census = createCensus(mongo, ledgerChecks);
  const running = startCensus({ clock: { ...clock, now: () => now }, leases, log: keptLog(), metrics, census });
  let lines: string[] = [];
  await until(async () => {
    const text = await metrics.text();
    lines = text.split('\n').filter((line) => line.startsWith('ledger_'));
    return text.includes('analytics_backlog 0');
  });
  await running.stop();
  return lines;
}

/** Removes the last check. */
async function forget(): Promise<void> {
  await mongo.db.collection<{ _id: string }>('settings').deleteOne({ _id: 'ledger_check' });
}

test('[J335] at each log level, a sound ledger leaves one line in the log and its figures in the metrics, once a day', async () => {
  await forget();
  expect(await figuresAt(MIDNIGHT)).toEqual([]);
  const { log, check } = serverAt(MIDNIGHT);
  for (let turns = 0; turns < 2; turns += 1) await check();
  expect(log.lines).toEqual([
    {
      level: 'audit',
      fields: {
        entries: 1202,
        accounts: 1,
        head: { sequence: 3, hash: expect.any(String) },
        tookS: expect.any(Number),
      },
      message: expect.stringMatching(/^the ledger is sound/),
    },
  ]);
  expect(await figuresAt(MIDNIGHT + 90_000)).toEqual(['ledger_check_age_seconds 90', 'ledger_faults 0']);
});

test('[J335] a check is due from the named time after midnight on, however long no server ran', () => {
  const afterMs = 3 * HOUR_MS;
  const isDueAt = (checkedAt: number, now: number) =>
    isCheckDue({ checkedAt, entries: 1, faultCount: 0 }, now, afterMs);
  expect(isCheckDue(null, MIDNIGHT, afterMs)).toBe(true);
  const checkedAt = MIDNIGHT + 20 * HOUR_MS;
  const hours = [20, 24, 26.9, 27, 51, 1000].map((hour) => isDueAt(checkedAt, MIDNIGHT + hour * HOUR_MS));
  expect(hours).toEqual([false, false, false, true, true, true]);
  expect(isDueAt(MIDNIGHT + 3 * HOUR_MS, MIDNIGHT + 27 * HOUR_MS - 1)).toBe(false);
  expect(isDueAt(MIDNIGHT + 3 * HOUR_MS - 1, MIDNIGHT + 3 * HOUR_MS)).toBe(true);
});

test('[J335] of two processes one checks the ledger, and the other one takes over without another check of the day', async () => {
  await forget();
  const [runs, looks]: [string[], string[]] = [[], []];
  let [now, owner] = [MIDNIGHT, 'one'];
  // Machine time stands still, so that no lease ends because the machine is slow. Turns follow each other at once.
  const everyTogether = (_ms: number, task: () => void) => clock.real.everyTogether(5, task);
  const real = { ...clock.real, elapsed: () => 0, everyTogether };
  const start = (name: string) => {
    const leases = { tryHold: () => Promise.resolve(owner === name ? 1 : null), release: () => Promise.resolve() };
    const checks: LedgerChecks = {
      ...ledgerChecks,
      run: (goesOn) => {
        runs.push(name);
        return ledgerChecks.run(goesOn);
      },
      findLast: () => {
        looks.push(name);
        return ledgerChecks.findLast();
      },
    };
    const at = { ...clock, real, now: () => now };
    const led = startCheckingLedger({ clock: at, ledgerChecks: checks, leases, log: keptLog(), settings });
    onTestFinished(() => led.stop());
    return led;
  };
  const [one] = [start('one'), start('two')];
  await until(async () => (await ledgerChecks.findLast()) !== null && looks.length >= 2);
  expect([runs, new Set(looks)]).toEqual([['one'], new Set(['one'])]);
  await one?.stop();
  owner = 'two';
  await until(() => looks.filter((name) => name === 'two').length >= 2);
  expect(runs).toEqual(['one']);
  now = MIDNIGHT + DAY_MS + settings.ledger.checkAfterMs;
  await until(async () => (await ledgerChecks.findLast())?.checkedAt === now);
  expect(runs).toEqual(['one', 'two']);
});

test('[J336] an entry that was changed behind the back of the server leaves an error and its figure, and is looked at again each hour until it is repaired', async () => {
  await forget();
  const rows = mongo.db.collection<{ _id: string }>(ENTRIES.name);
  const before = await rows.findOne({ _id: 'charge 7' }, { promoteValues: false });
  if (before === null) throw new Error('the charge is stored');
  await rows.updateOne({ _id: 'charge 7' }, { $set: { reason: 'another' } }, ODD);
  const levels: string[][] = [];
  for (const minutes of [0, 59, 60]) {
    const { log, check } = serverAt(MIDNIGHT + minutes * 60_000);
    await check();
    levels.push(log.lines.map(({ level }) => level));
    if (minutes !== 0) continue;
    expect(log.lines[0]).toMatchObject({
      fields: { entries: 1202, faultCount: 1, faults: [expect.stringMatching(/^Link \d, or one of its entries, was/)] },
      message: expect.stringMatching(/approve no payouts.*find out what changed/),
    });
  }
  expect(levels).toEqual([['error'], [], ['error']]);
  expect(await figuresAt(MIDNIGHT + HOUR_MS)).toEqual(['ledger_check_age_seconds 0', 'ledger_faults 1']);
  await rows.replaceOne({ _id: 'charge 7' }, before, ODD);
  const { log, check } = serverAt(MIDNIGHT + 2 * HOUR_MS);
  await check();
  expect(log.lines.map(({ level }) => level)).toEqual(['audit']);
  expect(await figuresAt(MIDNIGHT + 2 * HOUR_MS)).toEqual(['ledger_check_age_seconds 0', 'ledger_faults 0']);
});

test('[J336] [J9] however many faults there are, the log has the first 20 and the number of all, and the command names all', async () => {
  await forget();
  const rows = mongo.db.collection(ENTRIES.name);
  const filter = { _id: { $regex: '^charge' } } as object;
  await rows.updateMany(filter, { $set: { book: 'test.USD' } }, ODD);
  const { log, check } = serverAt(MIDNIGHT);
  await check();
  const found = await verifyLedger(mongo, () => undefined);
  await rows.updateMany(filter, { $set: { book: 'test.EUR' } }, ODD);
  const [{ fields } = { fields: {} }] = log.lines;
  const { faultCount, faults } = fields as { faultCount: number; faults: readonly string[] };
  expect(faults).toHaveLength(20);
  // Both postings of each charge, and the links that have them.
  expect(faultCount).toBe(1200 * 2 + 3);
  expect([found.faultCount, found.faults.length]).toEqual([faultCount, faultCount]);
});

test('[S105] a check reads at most 500 entries at once, and rests twice as long as each piece took', async () => {
  await forget();
  const reached: number[] = [];
  await checkInPieces(mongo, (entries) => reached.push(entries) > 0, 0);
  const steps = reached.map((entries, at) => entries - (reached[at - 1] ?? 0));
  expect([Math.max(...steps), reached.at(-1)]).toEqual([PIECE, 1202]);
  let elapsed = 0;
  const rests: number[] = [];
  const sleep = (ms: number): Promise<void> => {
    rests.push(ms);
    return Promise.resolve();
  };
  // Each piece takes 7 ms of this clock.
  const real = { ...clock.real, elapsed: () => (elapsed += 7), sleep };
  await checkIfDue({ clock: { ...clock, real }, ledgerChecks, log: keptLog(), settings }, isOurs);
  expect([rests.length, new Set(rests)]).toEqual([reached.length, new Set([14])]);
});

test('[S105] a process that stops or loses its lease ends its check and stores nothing, and the next one begins again', async () => {
  await forget();
  const log = keptLog();
  let pieces = 0;
  const isOursAtFirst = (): boolean => (pieces += 1) < 3;
  await checkIfDue({ clock, ledgerChecks, log, settings }, isOursAtFirst);
  expect([pieces, log.lines, await ledgerChecks.findLast()]).toEqual([3, [], null]);
  await checkIfDue({ clock, ledgerChecks, log, settings }, isOurs);
  expect(log.lines).toMatchObject([{ level: 'audit', fields: { entries: 1202 } }]);
});

test('[J336] faults are in the log before the result is stored, so a process that fails between both hides nothing', async () => {
  await forget();
  const log = keptLog();
  const faulty = {
    ...(await ledgerChecks.run(() => Promise.resolve(true))),
    ok: false,
    faultCount: 1,
    faults: ['a fault'],
  };
  const failing = {
    ...ledgerChecks,
    run: () => Promise.resolve(faulty as LedgerCheck),
    put: () => Promise.reject(new Error('the process ends')),
  };
  await expect(checkIfDue({ clock, ledgerChecks: failing, log, settings }, isOurs)).rejects.toThrow('the process ends');
  expect(log.lines).toMatchObject([{ level: 'error', fields: { faults: ['a fault'] } }]);
});

test('[S105] a process that stalls after its last piece stores nothing, and never replaces a newer check', async () => {
  await forget();
  let isStalled = false;
  const stalling: LedgerChecks = {
    ...ledgerChecks,
    run: async (goesOn) => {
      const found = await ledgerChecks.run(goesOn);
      isStalled = true;
      return found;
    },
  };
  await checkIfDue({ clock, ledgerChecks: stalling, log: keptLog(), settings }, () => !isStalled);
  expect(await ledgerChecks.findLast()).toBeNull();
  const newer = { checkedAt: MIDNIGHT + 1, entries: 1202, faultCount: 1 };
  await ledgerChecks.put(newer);
  for (const checkedAt of [MIDNIGHT, MIDNIGHT + 1]) await ledgerChecks.put({ checkedAt, entries: 1, faultCount: 0 });
  expect(await ledgerChecks.findLast()).toEqual(newer);
  const newest = { ...newer, checkedAt: MIDNIGHT + 2 };
  await ledgerChecks.put(newest);
  expect(await ledgerChecks.findLast()).toEqual(newest);
});
