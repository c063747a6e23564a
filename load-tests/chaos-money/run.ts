// One run: workers move money between wallets while the members of a replica set fail, and everything is compared.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClock } from '../../src/clock.ts';
import { newId } from '../../src/domain/ids.ts';
import type { Mongo } from '../../src/engines/mongo.ts';
import { connectMongo } from '../../src/models/connect-mongo.ts';
import { createLedger } from '../../src/models/ledger/ledger-store.ts';
import { ENTRIES, HOLDS } from '../../src/models/ledger/ledger-shapes.ts';
import { verifyLedger } from '../../src/models/ledger/verify-ledger.ts';
import { amountOf } from '../../src/money/amount.ts';
import {
  bookOf,
  courierAccount,
  platformAccount,
  vendorAccount,
  type AccountId,
} from '../../src/money/ledger/accounts.ts';
import type { Command } from '../../src/money/ledger/decide.ts';
import { move } from '../../src/money/ledger/entries.ts';
import type { Ledger } from '../../src/ports/ledger.ts';
import { startMongoSet, type MongoSet } from '../engines/mongo-set.ts';
import { compare, createAnswers, type Answers, type Comparison } from './answers.ts';
import { makeFaults } from './faults.ts';
import type { MoneyOptions } from './options.ts';
import { judgeRun, type MoneyFigures, type MoneyReport } from './report.ts';
import { watchTotals } from './totals.ts';
import { startWork } from './work.ts';
import { QUIET } from '../quiet.ts';

const ELECTION_MS = 2000;
const BOOK = bookOf(false, 'EUR');
/** In each wallet at the start. It is little, so that some commands are refused. */
const FUNDS = amountOf(10_000);
const SEAL_EVERY_MS = 1000;
const SEALED = 500;

/** Plays the run. Other problems are in the report. @throws if the replica set does not start or does not come back */
export async function runMoney(options: MoneyOptions, say: (line: string) => void): Promise<MoneyReport> {
  const dir = await mkdtemp(join(tmpdir(), 'chaos-money-'));
  const set = await startMongoSet({ dir, env: process.env, say, electionMs: ELECTION_MS });
  let isGood = false;
  try {
    const report = await playOn(set, options, say);
    isGood = report.problems.length === 0;
    return report;
  } finally {
    await set.stop();
    if (isGood) await rm(dir, { recursive: true, force: true });
    else say(`the data and logs of MongoDB are kept in ${dir}`);
  }
}

async function playOn(set: MongoSet, options: MoneyOptions, say: (line: string) => void): Promise<MoneyReport> {
  const began = performance.now();
  const clock = createClock();
  // The driver reports commands only if the URL says so.
  const url = `${set.url}&monitorCommands=true`;
  const mongos = await Promise.all(Array.from({ length: options.ledgers }, () => connectMongo(url, QUIET)));
  const [mongo] = mongos;
  if (mongo === undefined) throw new Error('a run has a ledger');
  const commits = countCommits(mongos);
  const ledgers = mongos.map((one) => createLedger(one, clock));
  const wallets = Array.from({ length: options.wallets }, () => vendorAccount('wallet', newId('ven'), BOOK));
  const earnings = wallets.map(() => courierAccount('earnings', newId('cou'), BOOK));
  const accounts = [...wallets, ...earnings];
  const answers = createAnswers();
  await fund(ledgers, wallets, answers);
  const watch = watchTotals(mongo, accounts, BigInt(FUNDS) * BigInt(wallets.length));
  const work = startWork({ ...options, ledgers, wallets, earnings, book: BOOK, answers });
  const stopSealing = keepSealing(ledgers);
  const made = await makeFaults(set, options, say);
  await pause(Math.max(0, began + options.seconds * 1000 - performance.now()));
  await work.stop();
  await watch.stop();
  await stopSealing();
  const check = await verifyLedger(mongo, () => undefined);
  const comparison = await compareStored(mongo, ledgers, accounts, answers);
  const wallS = (performance.now() - began) / 1000;
  const rest = { options, made, check, comparison, wallS };
  const figures: MoneyFigures = { counts: work.counts, ...commits(), totals: watch.totals, ...rest };
  await Promise.all(mongos.map((one) => one.close()));
  return judgeRun(figures);
}

/** Counts the transactions that the database commits for these connections, and the commits that fail. */
function countCommits(mongos: readonly Mongo[]): () => Pick<MoneyFigures, 'commits' | 'failedCommits'> {
  const counts = { commits: 0, failedCommits: 0 };
  const countAs =
    (what: keyof typeof counts) =>
    ({ commandName }: { readonly commandName: string }): void => {
      if (commandName === 'commitTransaction') counts[what] += 1;
    };
  for (const { connection } of mongos)
    connection.getClient().on('commandSucceeded', countAs('commits')).on('commandFailed', countAs('failedCommits'));
  return () => counts;
}

async function fund(ledgers: readonly Ledger[], wallets: readonly AccountId[], answers: Answers): Promise<void> {
  for (const [at, wallet] of wallets.entries()) {
    const postings = move(FUNDS, platformAccount('adjustment', BOOK), wallet);
    const about = { vendorId: null, about: 'bank test', reason: null };
    const entry = { key: `funds:${at}`, kind: 'adjustment', book: BOOK, postings, ...about } as const;
    const command: Command = { do: 'post', entry };
    const result = await ledgers[0]?.post(command, null);
    if (result?.ok !== true) throw new Error('a wallet was not funded');
    answers.tell(command, 'booked');
  }
}

/** Seals new entries all the time, in all ledgers at once. */
function keepSealing(ledgers: readonly Ledger[]): () => Promise<void> {
  let isOver = false;
  const seal = async (ledger: Ledger): Promise<void> => {
    while (!isOver) {
      // While the primary changes, nothing is sealed. The next try does it.
      const sealed = await ledger.seal(SEALED).catch(() => 0);
      if (sealed < SEALED) await pause(SEAL_EVERY_MS);
    }
  };
  const done = Promise.all(ledgers.map(seal));
  return async () => {
    isOver = true;
    await done;
  };
}

async function compareStored(
  mongo: Mongo,
  ledgers: readonly Ledger[],
  accounts: readonly AccountId[],
  answers: Answers,
): Promise<Comparison> {
  const keysIn = async (of: typeof ENTRIES | typeof HOLDS): Promise<Set<string>> => {
    const keys = new Set<string>();
    const rows = mongo.db.collection<{ _id: string }>(of.name);
    for await (const { _id } of rows.find({}, { projection: { _id: 1 }, readConcern: 'majority' })) keys.add(_id);
    return keys;
  };
  const [entries, holds] = [await keysIn(ENTRIES), await keysIn(HOLDS)];
  const balances = new Map<AccountId, Awaited<ReturnType<Ledger['balance']>>>();
  for (const account of accounts) {
    const balance = await ledgers[0]?.balance(account);
    if (balance !== undefined) balances.set(account, balance);
  }
  return compare(answers, { entries, holds, balances });
}
