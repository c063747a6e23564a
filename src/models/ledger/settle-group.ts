import type { mongo } from 'mongoose';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { isAway } from '../../engines/away.ts';
import { canonical } from '../../engines/canonical.ts';
import { areDuplicateKeys, type Mongo } from '../../engines/mongo.ts';
import { readConfirmed } from '../../engines/read-confirmed.ts';
import { OutcomeUnknown, transact } from '../../engines/transact.ts';
import { EXACT } from '../../engines/shapes/fields.ts';
import { amountOf } from '../../money/amount.ts';
import { refused, REPEAT, type Command, type LedgerResult } from '../../money/ledger/decide.ts';
import type { Entry } from '../../money/ledger/entries.ts';
import type { Clock } from '../../ports/process.ts';
import { ENTRIES, HOLDS, type EntryRow, type HoldRow } from './ledger-shapes.ts';
import { entryOf, writeGroup, type Posting } from './write-group.ts';

type Engine = {
  readonly mongo: Mongo;
  readonly clock: Clock;
  /** Comes first in each transaction. If it throws, no command of the group is carried out. */
  readonly begin?: (session: mongo.ClientSession) => Promise<void>;
};
type Settled = PromiseSettledResult<LedgerResult>;
type Run = { readonly mostMs: number; readonly isLast: () => boolean; readonly onConflict: () => void };
/** The rows that facts have left behind. */
type Stored = { readonly entries: ReadonlyMap<string, EntryRow>; readonly holds: ReadonlyMap<string, HoldRow> };

/** How often a group is run, if its outcome is unknown or other processes book the same facts. */
const MOST_RUNS = 5;
/** How long a group may take with all runs, machine time. A look for the outcome of the last run comes after it. */
const RUNS_MS = 3500;
/** A shorter run would hardly be written. */
const LEAST_RUN_MS = 500;
const NOT_BOOKED = 'The database was too slow to book this, so no money has moved. Send the request again.';

/** The refusal of a command that was not booked. It may be sent again. */
export function tooLate(): Refusal {
  return new Refusal('busy', { detail: NOT_BOOKED });
}

/**
 * Carries out commands in one transaction, and returns the result of each. A fact that is already booked is answered from
 * what is stored, outside of the transaction. If the outcome is unknown, a confirmed read looks for the facts, and those
 * that are not booked are run again. `onConflict` is called if another transaction has written one of the rows.
 */
export async function settleGroup(
  engine: Engine,
  postings: readonly Posting[],
  onConflict: () => void,
): Promise<Settled[]> {
  const settled = new Map<Posting, Settled>();
  const { real } = engine.clock;
  const end = real.elapsed() + RUNS_MS;
  for (let run = 1; settled.size < postings.length; run += 1) {
    const open = postings.filter((posting) => !settled.has(posting));
    const isLast = (): boolean => run === MOST_RUNS || end - real.elapsed() < LEAST_RUN_MS;
    const results = await runOnce(engine, open, { mostMs: end - real.elapsed(), isLast, onConflict });
    for (const [posting, result] of results) settled.set(posting, result);
  }
  return postings.map((posting) => settled.get(posting) ?? rejected(new Error('each posting is settled')));
}

/** Runs the group once. Postings without a result are to be run again; after the last run each has one. */
async function runOnce(
  engine: Engine,
  open: readonly Posting[],
  { mostMs, isLast, onConflict }: Run,
): Promise<ReadonlyMap<Posting, Settled>> {
  try {
    const work = async (session: mongo.ClientSession) => {
      await engine.begin?.(session);
      return writeGroup(engine, session, open);
    };
    const results = await transact(engine.mongo, engine.clock, work, { deadlineMs: mostMs, onConflict });
    return checkRepeats(engine, new Map(open.map((posting, at) => [posting, results[at] ?? REPEAT])));
  } catch (error) {
    if (!(error instanceof OutcomeUnknown) && !areDuplicateKeys(error)) throw error;
    const lookMs = error instanceof OutcomeUnknown ? error.lookMs : undefined;
    if (lookMs === null) throw error;
    const found = await lookUp(engine, open, lookMs).catch((thrown: unknown) => {
      throw isAway(thrown) && error instanceof OutcomeUnknown ? error : thrown;
    });
    const late = rejected(tooLate());
    return new Map(
      open.flatMap((posting): [Posting, Settled][] => {
        const result = found.get(posting);
        if (result !== undefined) return [[posting, fulfilled(result)]];
        return isLast() ? [[posting, late]] : [];
      }),
    );
  }
}

/**
 * A repeat must ask for what is stored. A refused command may be a repeat too: its fact has been booked, and the wallet
 * would not have enough for it a second time.
 */
async function checkRepeats(engine: Engine, results: ReadonlyMap<Posting, LedgerResult>) {
  const doubtful = [...results].flatMap(([posting, result]) => (result.ok && !result.isRepeat ? [] : [posting]));
  const found = doubtful.length === 0 ? null : await lookUp(engine, doubtful, undefined);
  return new Map([...results].map(([posting, result]) => [posting, fulfilled(found?.get(posting) ?? result)]));
}

/** The results of those commands whose fact is booked, by a read that no failover takes back. */
async function lookUp(
  { mongo }: Engine,
  postings: readonly Posting[],
  waitMs: number | undefined,
): Promise<ReadonlyMap<Posting, LedgerResult>> {
  const commands = postings.map(({ command }) => command);
  const entryKeys = commands.flatMap((command) => entryOf(command)?.key ?? []);
  const holdKeys = commands.flatMap((command) => holdKeyOf(command) ?? []);
  const stored = await readConfirmed(
    mongo,
    async (options): Promise<Stored> => {
      const exact = { ...options, ...EXACT };
      const entries = await mongo
        .collection(ENTRIES)
        .find({ _id: { $in: entryKeys } }, exact)
        .toArray();
      const holds = await mongo
        .collection(HOLDS)
        .find({ _id: { $in: holdKeys } }, exact)
        .toArray();
      return {
        entries: new Map(entries.map((row) => [row._id, row])),
        holds: new Map(holds.map((row) => [row._id, row])),
      };
    },
    waitMs,
  );
  return new Map(
    postings.flatMap((posting): [Posting, LedgerResult][] => {
      const result = judgeStored(posting.command, stored);
      return result === null ? [] : [[posting, result]];
    }),
  );
}

function holdKeyOf(command: Command): string | null {
  if (command.do === 'hold') return command.hold.key;
  return command.do === 'void' ? command.holdKey : null;
}

/** The answer for a fact that is booked; null if it is not. */
function judgeStored(command: Command, { entries, holds }: Stored): LedgerResult | null {
  // A freeze books nothing, so it may be run again.
  if (command.do === 'freeze') return null;
  if (command.do === 'void') {
    const row = holds.get(command.holdKey);
    return row?.state === 'voided' && row.account === command.account ? REPEAT : null;
  }
  if (command.do === 'hold') {
    const row = holds.get(command.hold.key);
    if (row === undefined) return null;
    const { account, about } = row;
    return same({ key: row._id, account, amount: amountOf(row.amount), about }, command.hold);
  }
  const row = entries.get(command.entry.key);
  return row === undefined ? null : same(entryIn(row), command.entry);
}

function same(stored: object, asked: object): LedgerResult {
  return canonical(stored) === canonical(asked) ? REPEAT : refused('key_reused');
}

/** The stored entry, with amounts of the domain. */
export function entryIn({ _id, kind, book, vendorId, postings, lines, about, reason }: EntryRow): Entry {
  const plain = postings.map(({ account, amount }) => ({ account, amount: amountOf(amount) }));
  const sold = lines?.map(({ type, amount, tax }) => ({ type, amount: amountOf(amount), tax: amountOf(tax) }));
  const own = sold === undefined ? {} : { lines: sold };
  return { key: _id, kind, book, vendorId, postings: plain, ...own, about, reason };
}

function fulfilled(value: LedgerResult): Settled {
  return { status: 'fulfilled', value };
}

function rejected(reason: unknown): Settled {
  return { status: 'rejected', reason };
}
