import { isTerminal } from '../../domain/deliveries/lifecycle.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Change, Commit, CommitFailure, CommitResult, Effect } from '../../ports/changes.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import { isAway, refuseAway } from '../../engines/away.ts';
import { readConfirmed } from '../../engines/read-confirmed.ts';
import { eventKey, eventRow, EVENTS_LOG } from '../deliveries/events/event-rows.ts';
import { createTimelyGroups } from '../../work/timely-groups.ts';
import { refuseForeignRow } from '../../engines/tenants/confine.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { endsOn } from '../../engines/retention.ts';
import { OutcomeUnknown, transact } from '../../engines/transact.ts';
import { refuseUnsoundMoney } from './book-money.ts';
import { listWithdrawn, withdrawLate } from './close-offers.ts';
import { commitGroup, factsOf, mayShare, placesOf, type Stored } from './commit-group.ts';
import { changesIn, EFFECTS, effectsIn, ofKind, writeEffects, type EffectTable } from './effects.ts';
import type { Engine, Failure, Work } from './work.ts';
import { writeDeliveries } from './write-delivery.ts';

/** Aborts the transaction, so that nothing of it is stored. */
class NotWritten extends Error {
  readonly failure: CommitFailure;
  readonly faults: readonly Effect[];

  constructor({ faults = [], ...failure }: Failure) {
    super(failure.why);
    this.failure = failure;
    this.faults = faults;
  }
}

/** How long a change may wait for the transaction that it shares, machine time. Its caller has given up by then. */
const MOST_WAIT_MS = 5000;
/** Changes of a process that are under way in shared transactions. More of them could not be stored in time. */
const MOST_UNDER_WAY = 8192;

/** The detail of the refusal if no part of the change was stored. */
const NOT_MADE = 'The database was too slow to make this change, so no part of it is stored. Send the request again.';

/**
 * Creates the only function that writes deliveries. A change and its effects are one transaction of at most 5 s, which
 * stores all of it or nothing. Births and changes that book money share a transaction with those that wait at the same
 * time, and two transactions of a process never book on one account at once. The function returns the first
 * failure of an effect as a value. It refuses `busy` if the change was not stored, or if no read can confirm in time
 * whether it was. The detail says which.
 * @param table how to write each kind of effect
 */
export function createCommit(mongo: Mongo, clock: Clock, settings: Settings, table: EffectTable = EFFECTS): Commit {
  const engine: Engine = { mongo, clock, settings };
  const commitShared = createTimelyGroups<Change, CommitResult>(
    clock,
    (changes, onConflict) => commitGroup(changes, (some) => store(engine, table, some, onConflict)),
    { factsOf, placesOf },
    { budgetMs: MOST_WAIT_MS, most: MOST_UNDER_WAY, refuse: (hasStarted) => (hasStarted ? null : notMade()) },
  );
  const commitAlone = async (change: Change): Promise<CommitResult> => {
    const stored = await store(engine, table, [change]);
    return stored.ok ? (stored.results[0] ?? ALL_STORED) : { ok: false, ...stored.failure };
  };
  return async (change) => {
    refuseUnsound(mongo, change);
    const result = await refuseAway(mayShare(table, change) ? commitShared(change) : commitAlone(change));
    if (!result.ok) return result;
    const late = closingsIn([change]).map((closing) => withdrawLate(engine, closing));
    return { ok: true, withdrawn: [...result.withdrawn, ...(await Promise.all(late)).flat()] };
  };
}

const ALL_STORED: CommitResult = { ok: true, withdrawn: [] };

/** A transaction of several vendors is confined to no tenant, and a fault of one change must not fail the others. */
function refuseUnsound(mongo: Mongo, change: Change): void {
  const events = mongo.collection(EVENTS_LOG);
  for (const event of change.events) refuseForeignRow(events, event);
  refuseUnsoundMoney(mongo, ofKind(effectsIn(change), 'book'));
}

/**
 * Stores the changes in one transaction, and looks for them if the outcome is unknown. `onConflict` is called if another
 * transaction has written one of the rows.
 */
async function store(
  engine: Engine,
  table: EffectTable,
  changes: readonly Change[],
  onConflict: () => void = () => {},
): Promise<Stored> {
  const { mongo, clock } = engine;
  try {
    const run = async (session: Work['session']): Promise<readonly Offer[]> => {
      const work: Work = { ...engine, session, withdrawn: [] };
      const failure = await write(work, table, changes);
      if (failure !== null) throw new NotWritten(failure);
      return work.withdrawn;
    };
    const withdrawn = await transact(mongo, clock, run, { onConflict });
    return { ok: true, results: resultsOf(changes, withdrawn) };
  } catch (error) {
    // A failed effect aborts the transaction by throwing. Here it becomes a value again.
    if (error instanceof NotWritten) return { ok: false, failure: error.failure, faults: error.faults };
    if (error instanceof OutcomeUnknown)
      return { ok: true, results: resultsOf(changes, await lookUp(mongo, changes, error)) };
    throw error;
  }
}

function resultsOf(changes: readonly Change[], withdrawn: readonly Offer[]): CommitResult[] {
  return changes.map((change) => {
    const own = new Set(changesIn(change).map(({ after }) => after.id));
    return { ok: true, withdrawn: withdrawn.filter(({ deliveryId }) => own.has(deliveryId)) };
  });
}

/**
 * Writes the money, then the deliveries, the other effects and the events. Wallets are what processes compete for: a
 * transaction that touches them first loses to another one at once and not after all its work.
 */
async function write(work: Work, table: EffectTable, changes: readonly Change[]): Promise<Failure | null> {
  const effects = changes.flatMap(effectsIn);
  const failure: Failure | null =
    (await writeEffects(table, work, ofKind(effects, 'book'))) ??
    (await writeDeliveries(work, changes)) ??
    (await writeEffects(
      table,
      work,
      effects.filter(({ kind }) => kind !== 'book'),
    ));
  if (failure === null) await writeEvents(work, changes.flatMap(changesIn));
  return failure;
}

/** Appends the events. If the delivery has ended, all of its events get the date on which they expire. */
async function writeEvents({ mongo, clock, settings, session }: Work, changes: readonly Change[]): Promise<void> {
  const events = mongo.collection(EVENTS_LOG);
  const ends = endsOn(clock, settings.retention.eventsMs);
  for (const { before, after, events: happened } of changes) {
    if (before === null || happened.length === 0 || !isTerminal(after.state)) continue;
    const earlier = { delivery_id: after.id, sequence: { $lte: before.sequence } };
    await events.updateMany(earlier, { $set: { endsOn: ends } }, { session });
  }
  const rows = changes.flatMap((change) =>
    change.events.map((event) => eventRow(event, isTerminal(change.after.state) ? ends : null)),
  );
  if (rows.length > 0) await events.insertMany(rows, { session });
}

function closingsIn(changes: readonly Change[]): ReturnType<typeof ofKind<'close_offers'>> {
  return ofKind(changes.flatMap(effectsIn), 'close_offers');
}

/**
 * Finds out whether the changes of a transaction were stored, which the last event of one of them proves. Returns the offers that it withdrew. The read
 * waits for rows that only the primary has, since a failover could roll them back. A change that a confirmed read does
 * not find is not stored, and cannot be stored any more.
 */
async function lookUp(mongo: Mongo, changes: readonly Change[], unknown: OutcomeUnknown): Promise<Offer[]> {
  const last = changes[0]?.events.at(-1);
  if (last === undefined || unknown.lookMs === null) throw unknown;
  const proof = { _id: eventKey(last), id: last.id };
  try {
    const rows = mongo.collection(EVENTS_LOG);
    const found = await readConfirmed(mongo, (options) => rows.findOne(proof, options), unknown.lookMs);
    if (found !== null)
      return (await Promise.all(closingsIn(changes).map((closing) => listWithdrawn(mongo, closing)))).flat();
  } catch (error) {
    throw isAway(error) ? unknown : error;
  }
  throw notMade();
}

function notMade(): Refusal {
  return new Refusal('busy', { detail: NOT_MADE });
}
