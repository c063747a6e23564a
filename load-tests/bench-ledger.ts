// `npm run bench:ledger [-- options]` Measures transfers through the ledger, and plain transactions beside them.
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import mongoose from 'mongoose';
import { createClock } from '../src/clock.ts';
import { connectMongo } from '../src/models/connect-mongo.ts';
import { createLedger } from '../src/models/ledger/ledger-store.ts';
import { verifyLedger } from '../src/models/ledger/verify-ledger.ts';
import type { Mongo } from '../src/engines/mongo.ts';
import { asksForHelp } from '../src/process/command-line.ts';
import { runPlay } from './command-line.ts';
import { withOwnEngines } from './engines/own-engines.ts';
import { judge, lastLine, LEAST_MANY, tableOf, type LedgerReport, type Rate } from './ledger/report.ts';
import { openWallets } from './ledger/transfers.ts';
import { wholeOf } from './numbers.ts';
import { quantile } from './statistics.ts';
import { QUIET } from './quiet.ts';

const USAGE = `npm run bench:ledger -- [options]

  --wallets N   wallets of the vendors (1000)
  --clients N   transfers that are under way at the same time (256)
  --plain N     plain transactions that are under way at the same time (32)
  --seconds S   length of each measurement (10)
  --json FILE   write all figures there
  --help        this text

Starts its own engine, and waits for its disk. A transfer charges a wallet: one account with a floor and one without. The
plain transaction updates two documents with mongoose. At half load, 4,000 transfers start each second. At the end the
whole ledger is verified. The bench fails below 8,000 transfers/s over all wallets or 6,000 on one, below 5 times the
plain rate, if a lone transfer takes over 1.3 times a plain transaction, or if 1 % of the ledger's transactions are
repeated.`;

type Options = {
  readonly wallets: number;
  readonly clients: number;
  readonly plain: number;
  readonly seconds: number;
  readonly json: string | null;
};

/** Half of the rate that the ledger must reach over many wallets, transfers/s. */
const HALF_LOAD = LEAST_MANY / 2;

/** Reads the command line. @throws Error with a sentence for the user */
export function parseOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const options = { wallets: text, clients: text, plain: text, seconds: text, json: text };
  const { values } = parseArgs({ args: [...args], options });
  return {
    wallets: wholeOf('wallets', values.wallets, 1000, 1, 100_000),
    clients: wholeOf('clients', values.clients, 256, 1, 10_000),
    plain: wholeOf('plain', values.plain, 32, 1, 1000),
    seconds: wholeOf('seconds', values.seconds, 10, 1, 600),
    json: values.json ?? null,
  };
}

function play(options: Options, say: (line: string) => void): Promise<LedgerReport> {
  return withOwnEngines('bench-ledger-', ({ mongoUrl }) => measure(mongoUrl, options, say));
}

async function measure(
  url: string,
  { wallets: count, clients, plain: plainClients, seconds }: Options,
  say: (line: string) => void,
): Promise<LedgerReport> {
  const mongo = await connectMongo(url, QUIET);
  const transfer = await openWallets(createLedger(mongo, createClock()), count);
  const plain = await openPlain(url, count);
  say(`${count} wallets are funded`);
  await repeated(() => transfer(count), clients, 1);
  const before = await countTransactions(mongo);
  const many = await repeated(() => transfer(count), clients, seconds);
  const one = await repeated(() => transfer(1), clients, seconds);
  const half = await paced(() => transfer(count), HALF_LOAD, seconds);
  const after = await countTransactions(mongo);
  const aborted = after.aborted - before.aborted;
  const figures = {
    many,
    one,
    half,
    holds: await repeated(() => transfer.held(count), clients, seconds),
    plain: await repeated(plain.run, plainClients, seconds),
    ...(await takeTurns(() => transfer(count), plain.run, seconds)),
    repeatedShare: aborted / (aborted + after.committed - before.committed),
  };
  const began = performance.now();
  const { ok, entries, faults } = await verifyLedger(mongo, () => undefined);
  say(`${entries} entries verified in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  await plain.close();
  await mongo.close();
  const report = judge(figures);
  return ok ? report : { ...report, problems: [...report.problems, ...faults] };
}

/** Transactions that the database has ended. A transaction that the driver repeats is aborted first. */
async function countTransactions(mongo: Mongo): Promise<{ readonly aborted: number; readonly committed: number }> {
  const { transactions } = await mongo.db.admin().command({ serverStatus: 1 });
  return { aborted: Number(transactions.totalAborted), committed: Number(transactions.totalCommitted) };
}

/** Two updates in a transaction, as mongoose documents it. */
async function openPlain(url: string, count: number) {
  const connection = await mongoose.createConnection(url).asPromise();
  const Account = connection.model('plain_account', new mongoose.Schema({ _id: Number, balance: Number }));
  await Account.insertMany(Array.from({ length: 2 * count }, (_, at) => ({ _id: at, balance: 1e9 })));
  let turn = 0;
  const run = async (): Promise<void> => {
    const from = (turn += 7919) % count;
    await connection.transaction(async (session) => {
      await Account.updateOne({ _id: from }, { $inc: { balance: -1 } }, { session });
      await Account.updateOne({ _id: count + from }, { $inc: { balance: 1 } }, { session });
    });
  };
  return { run, close: () => connection.close() };
}

/** Runs work so many times at once until the time is over. */
async function repeated(work: () => Promise<void>, clients: number, seconds: number): Promise<Rate> {
  const times: number[] = [];
  const began = performance.now();
  const client = async (): Promise<void> => {
    for (let now = performance.now(); now - began < seconds * 1000; now = performance.now()) {
      await work();
      times.push(performance.now() - now);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const tookS = (performance.now() - began) / 1000;
  return { perS: times.length / tookS, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
}

/** Starts so many transfers each second, whether earlier ones have ended or not. Each wait counts from when it was due. */
async function paced(work: () => Promise<void>, perS: number, seconds: number): Promise<Rate> {
  const times: number[] = [];
  const all: Promise<void>[] = [];
  const began = performance.now();
  for (let started = 0; started < perS * seconds; started += 1) {
    const dueAt = began + (started * 1000) / perS;
    const earlyMs = dueAt - performance.now();
    if (earlyMs > 0) await pause(earlyMs);
    all.push(work().then(() => void times.push(performance.now() - dueAt)));
  }
  await Promise.all(all);
  const tookS = (performance.now() - began) / 1000;
  return { perS: times.length / tookS, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
}

/** Measures one request after the other, a second of each kind in turn, because the machine changes with time. */
async function takeTurns(work: () => Promise<void>, plain: () => Promise<void>, seconds: number) {
  const rounds: { readonly lone: Rate; readonly plainLone: Rate }[] = [];
  for (let round = 0; round < seconds; round += 1) {
    rounds.push({ lone: await repeated(work, 1, 1), plainLone: await repeated(plain, 1, 1) });
  }
  const middle = (kind: 'lone' | 'plainLone', figure: keyof Rate): number =>
    quantile(
      rounds.map((round) => round[kind][figure]),
      0.5,
    );
  const rateOf = (kind: 'lone' | 'plainLone'): Rate => ({
    perS: middle(kind, 'perS'),
    p50Ms: middle(kind, 'p50Ms'),
    p99Ms: middle(kind, 'p99Ms'),
  });
  return { lone: rateOf('lone'), plainLone: rateOf('plainLone') };
}

if (import.meta.main) {
  const parse = (args: readonly string[]): Options | null => (asksForHelp(args) ? null : parseOptions(args));
  await runPlay({ usage: USAGE, parse, play, tableOf, lastLine });
  // The drivers' connections would keep the process alive.
  process.exit();
}
