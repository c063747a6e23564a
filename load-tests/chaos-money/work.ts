// The workers of a run. Each has one command under way: a transfer between wallets, a hold, or the end of a hold. Some
// holds end with a charge that exceeds them, so that the vendor owes the rest.
import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../../src/domain/refusals/refusals.ts';
import { tooLate } from '../../src/models/ledger/settle-group.ts';
import { amountOf, type Amount } from '../../src/money/amount.ts';
import { besideAccount, type AccountId, type Book } from '../../src/money/ledger/accounts.ts';
import type { Command } from '../../src/money/ledger/decide.ts';
import { move, type Entry, type EntryKind, type Posting } from '../../src/money/ledger/entries.ts';
import type { Ledger } from '../../src/ports/ledger.ts';
import { createRandom, type Random } from '../random.ts';
import type { Answers, Told } from './answers.ts';

/** The number of answers of each kind, and errors that a caller should never see. */
export type Counts = {
  booked: number;
  refused: number;
  /** Answers that no money has moved. */
  notBooked: number;
  /** Answers that money may have moved. */
  unknown: number;
  readonly errors: string[];
};

export type WorkOptions = {
  readonly ledgers: readonly Ledger[];
  readonly wallets: readonly AccountId[];
  /** The accounts of couriers, to which charges go. */
  readonly earnings: readonly AccountId[];
  readonly book: Book;
  readonly workers: number;
  readonly seed: number;
  readonly answers: Answers;
};

export type Work = { readonly counts: Counts; stop(): Promise<void> };

const ABOUT = 'bank test';
/** The share of steps that are transfers. The others are holds. */
const TRANSFERS = 0.7;
/** The shares of holds that are voided, and that a charge captures. A transfer captures the others. */
const VOIDS = 0.4;
const CHARGES = 0.2;
/** Chance that a command is given up for good when the answer says that it was not booked. */
const GIVEN_UP = 0.25;
/** The largest transfer or hold, and the largest charge and debt. */
const MOST = 4000;
const MOST_CHARGED = 20;
const AGAIN_MS = 50;
const MOST_ERRORS = 20;

/** Starts the workers. `stop` lets each finish its command. */
export function startWork(options: WorkOptions): Work {
  const counts: Counts = { booked: 0, refused: 0, notBooked: 0, unknown: 0, errors: [] };
  let isOver = false;
  const worker = async (index: number): Promise<void> => {
    const random = createRandom(options.seed + index + 1);
    const settle = (command: Command) => settleOne(options, random, counts, command);
    for (let step = 1; !isOver; step += 1) await takeStep(options, random, `${index}:${step}`, settle);
  };
  const done = Promise.all(Array.from({ length: options.workers }, (_, index) => worker(index)));
  return {
    counts,
    stop: async () => {
      isOver = true;
      await done;
    },
  };
}

type Settle = (command: Command) => Promise<Told>;

async function takeStep(options: WorkOptions, random: Random, name: string, settle: Settle): Promise<void> {
  const { wallets, earnings } = options;
  const from = random.pick(wallets, () => 1);
  const to = random.pick(wallets, (wallet) => (wallet === from ? 0 : 1));
  const amount = upTo(random, MOST);
  if (random.next() < TRANSFERS) {
    await settle({ do: 'post', entry: entryOf(options, 'adjustment', name, move(amount, from, to)) });
    return;
  }
  const holdKey = `hold:${name}`;
  if ((await settle({ do: 'hold', hold: { key: holdKey, account: from, amount, about: ABOUT } })) !== 'booked') return;
  const chance = random.next();
  if (chance < VOIDS) await settle({ do: 'void', holdKey, account: from });
  else if (chance < VOIDS + CHARGES) {
    const [part, over] = [upTo(random, Math.min(amount, MOST_CHARGED)), upTo(random, MOST_CHARGED)];
    const postings = [
      { account: from, amount: amountOf(0 - part) },
      { account: besideAccount(from, 'receivable'), amount: amountOf(0 - over) },
      { account: random.pick(earnings, () => 1), amount: amountOf(part + over) },
    ];
    await settle({ do: 'capture', holdKey, entry: entryOf(options, 'charge', name, postings) });
  } else {
    const entry = entryOf(options, 'adjustment', name, move(upTo(random, amount), from, to));
    await settle({ do: 'capture', holdKey, entry });
  }
}

function entryOf({ book }: WorkOptions, kind: EntryKind, name: string, postings: readonly Posting[]): Entry {
  return { key: `${kind}:${name}`, kind, book, vendorId: null, postings, about: ABOUT, reason: null };
}

function upTo(random: Random, most: number): Amount {
  return amountOf(1 + Math.floor(random.between(0, most)));
}

/**
 * Sends a command, each time to any ledger, until its answer is certain. Some that were not booked are given up.
 * An answer that it was not booked is certain only if no earlier answer was unknown.
 */
async function settleOne(
  { ledgers, answers }: WorkOptions,
  random: Random,
  counts: Counts,
  command: Command,
): Promise<Told> {
  for (let isDoubtful = false; ;) {
    const told = await tell(
      random.pick(ledgers, () => 1),
      counts,
      command,
    );
    if (told === 'error') return 'refused';
    if (told === 'unknown') isDoubtful = true;
    else if (told !== 'not booked' || (!isDoubtful && random.next() < GIVEN_UP)) {
      answers.tell(command, told);
      return told;
    }
    await pause(AGAIN_MS);
  }
}

/** Sends a command once. Any error but `busy` fails the run. */
async function tell(ledger: Ledger, counts: Counts, command: Command): Promise<Told | 'unknown' | 'error'> {
  try {
    const result = await ledger.post(command, null);
    if (result.ok) {
      counts.booked += 1;
      return 'booked';
    }
    counts.refused += 1;
    return result.why === 'insufficient_funds' ? 'refused' : note(counts, `${command.do}: ${result.why}`);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'busy') return note(counts, `${command.do}: ${String(error)}`);
    if (error.message === tooLate().message) {
      counts.notBooked += 1;
      return 'not booked';
    }
    counts.unknown += 1;
    return 'unknown';
  }
}

function note({ errors }: Counts, error: string): 'error' {
  if (errors.length < MOST_ERRORS) errors.push(error);
  return 'error';
}
