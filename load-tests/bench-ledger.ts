// `npm run bench:ledger [-- options]` Measures transfers through the ledger, and plain transactions beside them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import mongoose from 'mongoose';
import { createClock } from '../src/clock.ts';
import { newId } from '../src/domain/ids.ts';
import { startEngines } from '../src/embedded/engines.ts';
import { connectMongo } from '../src/models/connect-mongo.ts';
import { createLedger } from '../src/models/ledger/ledger-store.ts';
import { verifyLedger } from '../src/models/ledger/verify-ledger.ts';
import { amountOf } from '../src/money/amount.ts';
import { bookOf, platformAccount, vendorAccount } from '../src/money/ledger/accounts.ts';
import { move } from '../src/money/ledger/entries.ts';
import { asksForHelp } from '../src/process/command-line.ts';
import { runPlay } from './command-line.ts';
import { judge, lastLine, tableOf, type LedgerReport, type Rate } from './ledger/report.ts';
import { wholeOf } from './numbers.ts';
import { quantile } from './statistics.ts';

const USAGE = `npm run bench:ledger -- [options]

  --wallets N   wallets of the vendors (1000)
  --clients N   transfers that are under way at the same time (256)
  --plain N     plain transactions that are under way at the same time (32)
  --seconds S   length of each measurement (10)
  --json FILE   write all figures there
  --help        this text

Starts its own engine, and waits for its disk. A transfer charges a wallet: one account with a floor and one without. The
plain transaction updates two documents with mongoose. At the end the whole ledger is verified. The bench fails below
8,000 transfers/s over all wallets or 6,000 on one, below 5 times the plain rate, or if a lone transfer takes over 1.3
times a plain transaction.`;

type Options = {
  readonly wallets: number;
  readonly clients: number;
  readonly plain: number;
  readonly seconds: number;
  readonly json: string | null;
};

const QUIET = { info: () => {}, warn: () => {}, error: () => {}, audit: () => {} };
const BOOK = bookOf(false, 'EUR');
const REVENUE = platformAccount('revenue', BOOK);
/** More than all transfers of a bench charge. */
const FUNDS = amountOf(1_000_000_000);

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

async function play(options: Options, say: (line: string) => void): Promise<LedgerReport> {
  const dir = await mkdtemp(join(tmpdir(), 'bench-ledger-'));
  const engines = await startEngines({ dataDir: join(dir, 'engines'), env: process.env, say: () => {} });
  const stop = async (): Promise<void> => {
    await engines.stop();
    await rm(dir, { recursive: true, force: true });
  };
  // If the bench is interrupted, it stops its engines.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop().finally(() => process.exit(130)));
  try {
    return await measure(engines.mongoUrl, options, say);
  } finally {
    await stop();
  }
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
  const figures = {
    many: await repeated(() => transfer(count), clients, seconds),
    one: await repeated(() => transfer(1), clients, seconds),
    plain: await repeated(plain.run, plainClients, seconds),
    lone: await repeated(() => transfer(count), 1, seconds),
    plainLone: await repeated(plain.run, 1, seconds),
  };
  const began = performance.now();
  const { ok, entries, faults } = await verifyLedger(mongo, () => undefined);
  say(`${entries} entries verified in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  await plain.close();
  await mongo.close();
  const report = judge(figures);
  return ok ? report : { ...report, problems: [...report.problems, ...faults] };
}

/** Funds wallets. Returns a function that charges one of the first so many wallets, at random. */
async function openWallets(ledger: ReturnType<typeof createLedger>, count: number) {
  const wallets = Array.from({ length: count }, () => vendorAccount('wallet', newId('ven'), BOOK));
  const rest = { book: BOOK, vendorId: null, about: 'bench', reason: null } as const;
  const fund = platformAccount('adjustment', BOOK);
  await Promise.all(
    wallets.map((wallet) => {
      const postings = move(FUNDS, fund, wallet);
      return ledger.post({ do: 'post', entry: { ...rest, key: newId('req'), kind: 'adjustment', postings } }, null);
    }),
  );
  let turn = 0;
  return async (among: number): Promise<void> => {
    const wallet = wallets[(turn += 7919) % among] ?? REVENUE;
    const postings = move(amountOf(1), wallet, REVENUE);
    const result = await ledger.post(
      { do: 'post', entry: { ...rest, key: newId('req'), kind: 'charge', postings } },
      null,
    );
    if (!result.ok) throw new Error(`a funded transfer was refused: ${result.why}`);
  };
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

if (import.meta.main) {
  const parse = (args: readonly string[]): Options | null => (asksForHelp(args) ? null : parseOptions(args));
  await runPlay({ usage: USAGE, parse, play, tableOf, lastLine });
  // The drivers' connections would keep the process alive.
  process.exit();
}
