import type { mongo as engine } from 'mongoose';
import type { Mongo } from '../../engines/mongo.ts';
import { markOfCreated, pageOf, rowsAfter } from '../../engines/pages.ts';
import { readConfirmed } from '../../engines/read-confirmed.ts';
import type { AuditEntry } from '../../domain/audit.ts';
import { EXACT } from '../../engines/shapes/fields.ts';
import { transact } from '../../engines/transact.ts';
import { DISPUTE_STATES, OPEN_DISPUTES, type Dispute } from '../../money/disputes/dispute.ts';
import type { Command } from '../../money/ledger/decide.ts';
import type { DisputeFilter, DisputeStore, Raised } from '../../ports/money/disputes.ts';
import type { Page, PageRequest } from '../../ports/pages.ts';
import type { Clock } from '../../ports/process.ts';
import { bookAll } from '../ledger/book-along.ts';
import { storeEntries } from '../store-entries.ts';
import { transactAlone } from '../transact-alone.ts';
import { disputeOf, replaceDispute, rowOf } from './dispute-rows.ts';
import { BY_DELIVERY, BY_MODE, BY_VENDOR, DISPUTES, SINCE, type DisputeRow } from './dispute-shapes.ts';

const NEWEST_FIRST = { _id: -1 } as const;
const OPEN = { state: { $in: [...OPEN_DISPUTES] } } as const;

type Engines = { readonly mongo: Mongo; readonly clock: Clock };
type Rows = engine.Collection<DisputeRow>;

/** The name of the transactions that add disputes of a vendor. */
export function disputesOf({ vendorId, liveMode }: Pick<Dispute, 'vendorId' | 'liveMode'>): string {
  return `disputes:${vendorId}:${liveMode}`;
}

/** The disputes in MongoDB. A state of a dispute and the entries that belong to it are one transaction. */
export function createDisputeStore(mongo: Mongo, clock: Clock): DisputeStore {
  const rows: Rows = mongo.collection(DISPUTES);
  return {
    add: (dispute, command, entry, limits) =>
      transactAlone(mongo, clock, disputesOf(dispute), async (session): Promise<Raised> => {
        const { id, vendorId, liveMode, deliveryId } = dispute;
        const own = { vendorId, liveMode };
        const known = await rows.findOne({ _id: id }, { session, ...EXACT });
        if (known !== null) return { ok: true, dispute: disputeOf(known) };
        const open = await rows.findOne(
          { ...own, deliveryId, ...OPEN },
          { session, projection: { _id: 1 }, hint: BY_DELIVERY },
        );
        if (open !== null) return { ok: false, why: 'open', openId: open._id };
        const { mostOpen, mostSince, since } = limits;
        const opened = await rows.countDocuments({ ...own, ...OPEN }, { session, limit: mostOpen, hint: BY_VENDOR });
        if (opened >= mostOpen) return { ok: false, why: 'too_many_open' };
        const recent = { ...own, createdAt: { $gt: since } };
        const raised = await rows.countDocuments(recent, { session, limit: mostSince, hint: SINCE });
        if (raised >= mostSince) return { ok: false, why: 'too_many_since' };
        await rows.insertOne(rowOf(dispute), { session });
        await bookMove({ mongo, clock }, session, [command]);
        await storeEntries(mongo, [entry], { session });
        return { ok: true, dispute };
      }),
    find: async (id) => {
      const row = await readConfirmed(mongo, (options) => rows.findOne({ _id: id }, { ...options, ...EXACT }));
      return row === null ? null : disputeOf(row);
    },
    replace: (next, commands, entry) => replaceAndBook({ mongo, clock }, next, commands, [entry]),
    list: (filter, page) => list(rows, filter, page),
  };
}

/** Writes the next version of a dispute with what its move books. Returns false, and writes nothing, if it is stale. */
export function replaceAndBook(
  engines: Engines,
  next: Dispute,
  commands: readonly Command[],
  entries: readonly AuditEntry[],
): Promise<boolean> {
  return transact(engines.mongo, engines.clock, async (session) => {
    if (!(await replaceDispute(engines.mongo, session, next))) return false;
    await bookMove(engines, session, commands);
    if (entries.length > 0) await storeEntries(engines.mongo, entries, { session });
    return true;
  });
}

/** Books in the transaction. A move of a dispute touches no wallet, so the ledger refuses none. */
async function bookMove(engines: Engines, session: engine.ClientSession, commands: readonly Command[]): Promise<void> {
  const passed = await bookAll(engines, session, commands);
  if (passed.includes(false)) throw new Error('the ledger refuses a step of a dispute');
}

async function list(rows: Rows, filter: DisputeFilter, { limit, after }: PageRequest): Promise<Page<Dispute>> {
  const { state, ...of } = filter;
  // With all states named, the database merges short ranges of the index instead of sorting.
  const states = { $in: state === undefined ? [...DISPUTE_STATES] : [state] };
  const { wanted, hint } = subjectOf(of);
  const found = await rows
    .find({ ...wanted, state: states, ...rowsAfter(after, NEWEST_FIRST) }, { ...EXACT, hint })
    .sort(NEWEST_FIRST)
    .limit(limit + 1)
    .toArray();
  return pageOf(found.map(disputeOf), limit, markOfCreated);
}

function subjectOf({ deliveryId, vendorId, liveMode }: Omit<DisputeFilter, 'state'>) {
  const modes = { $in: liveMode === undefined ? [true, false] : [liveMode] };
  const owner = vendorId === undefined ? {} : { vendorId };
  const mode = liveMode === undefined ? {} : { liveMode };
  if (deliveryId !== undefined) return { wanted: { deliveryId, ...owner, ...mode }, hint: BY_DELIVERY };
  if (vendorId !== undefined) return { wanted: { vendorId, liveMode: modes }, hint: BY_VENDOR };
  return { wanted: { liveMode: modes }, hint: BY_MODE };
}
