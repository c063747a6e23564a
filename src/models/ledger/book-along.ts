import type { mongo as engine } from 'mongoose';
import type { AuditEntry } from '../../domain/audit.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { transact } from '../../engines/transact.ts';
import type { Command } from '../../money/ledger/decide.ts';
import type { Clock } from '../../ports/process.ts';
import { storeEntries } from '../store-entries.ts';
import { refuseUnsoundCommand, writeGroup } from './write-group.ts';

type Engines = { readonly mongo: Mongo; readonly clock: Clock };

/** Aborts a transaction, because somebody else has changed the row. */
export class StaleRow extends Error {}

/** Aborts a transaction, because the ledger refuses what belongs to the row. */
export class UnbookedRow extends Error {}

/** Runs work. Returns false if it was stale. */
export async function unlessStale(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof StaleRow) return false;
    throw error;
  }
}

/** Books commands in the transaction of the rows that they belong to. Says for each whether it passed. */
export async function bookAll(
  engines: Engines,
  session: engine.ClientSession,
  commands: readonly Command[],
): Promise<boolean[]> {
  if (commands.length === 0) return [];
  for (const command of commands) refuseUnsoundCommand(engines.mongo, command);
  const postings = commands.map((command) => ({ command, audit: null }));
  return (await writeGroup(engines, session, postings)).map(({ ok }) => ok);
}

/**
 * Books a command in the transaction of its row.
 * @throws UnbookedRow if the ledger refuses it: a wallet has less, or a mistake of ours stands in the way
 */
export async function bookAlong(
  engines: Engines,
  session: engine.ClientSession,
  command: Command | null,
  about: string,
): Promise<void> {
  const passed = command === null ? [] : await bookAll(engines, session, [command]);
  if (passed.includes(false)) throw new UnbookedRow(`the ledger refuses a step of ${about}`);
}

/** The transaction of a row writes these too. */
type Belongings = {
  readonly command: Command | null;
  readonly entry: AuditEntry | null;
  readonly writeAlong?: (session: engine.ClientSession) => Promise<void>;
};

/**
 * Replaces a row by its next version, with what it books, its audit entry and what else it writes, or does nothing. Returns
 * false if somebody else has changed the row.
 */
export function replaceAndBook<Row extends { readonly _id: string; readonly version: number }>(
  { mongo, clock }: Engines,
  rows: engine.Collection<Row>,
  next: Row,
  { command, entry, writeAlong }: Belongings,
): Promise<boolean> {
  const { _id, version } = next;
  return unlessStale(() =>
    transact(mongo, clock, async (session) => {
      const same = { _id, version: version - 1 } as engine.Filter<Row>;
      const { matchedCount } = await rows.replaceOne(same, next, { session });
      if (matchedCount === 0) throw new StaleRow();
      await bookAlong({ mongo, clock }, session, command, _id);
      if (entry !== null) await storeEntries(mongo, [entry], { session });
      await writeAlong?.(session);
    }),
  );
}
