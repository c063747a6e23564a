import type { mongo as engine } from 'mongoose';
import type { AuditEntry } from '../../../domain/audit.ts';
import type { SessionId } from '../../../domain/ids.ts';
import type { Mongo } from '../../../engines/mongo.ts';
import { pageOf, rowsAfter } from '../../../engines/pages.ts';
import type { RedisConnections } from '../../../engines/redis/redis.ts';
import { transact } from '../../../engines/transact.ts';
import type { AccountKey } from '../../../ports/access.ts';
import type { Page, PageMark } from '../../../ports/pages.ts';
import type { Clock } from '../../../ports/process.ts';
import type { Settings } from '../../../settings.ts';
import { storeEntries, type Within } from '../../store-entries.ts';
import type { SessionRow } from '../credential-shapes.ts';
import { createDeniedSessions } from './denied-sessions.ts';
import { keyOf } from './list-sessions.ts';

export type SessionEnds = {
  /** Ends several at once. */
  readonly endMany: (ids: readonly SessionId[]) => Promise<void>;
  /** Ends the oldest sessions of a holder who has too many. */
  readonly endOldest: (of: AccountKey) => Promise<void>;
  /** Ends all sessions of a holder, together with the entry for their number. Returns this number. */
  endAllOf(of: AccountKey, entryOf?: (ended: number) => AuditEntry): Promise<number>;
  isEnded(id: SessionId): Promise<boolean>;
  /** Finds which of these sessions have ended. It reads only their rows. */
  listEnded(ids: readonly SessionId[]): Promise<SessionId[]>;
  /** Tries to write the ends that Redis does not have yet. */
  close(): Promise<void>;
};

export type SessionNeeds = {
  readonly mongo: Mongo;
  readonly redis: RedisConnections;
  readonly pepper: string;
  readonly clock: Clock;
  readonly settings: Settings;
  /** Called at once with the sessions that have ended. */
  readonly onEnd: (ids: readonly SessionId[]) => void;
};

type Rows = engine.Collection<SessionRow>;

/** Most sessions that are listed at a time. */
const BATCH = 500;
/** The last ends first. */
const LAST_ENDED_FIRST = { revokedAt: -1, _id: 1 } as const;

/** Ends sessions and finds ended ones. */
export function createEnds(
  rows: Rows,
  { mongo, redis, clock, settings, onEnd }: Omit<SessionNeeds, 'pepper'>,
): SessionEnds {
  const { accessTtlS, mostSessions } = settings.auth;
  const denied = createDeniedSessions(redis, clock, accessTtlS);
  // The first half of an end: the rows.
  const mark = async (which: engine.Filter<SessionRow>, within: Within = {}): Promise<number> => {
    const at = clock.real.now();
    // By then their access tokens have expired, and the rows are no longer needed.
    const ended = { revokedAt: at, endsOn: new Date(at + accessTtlS * 1000) };
    return (await rows.updateMany({ ...which, revokedAt: null }, { $set: ended }, within)).modifiedCount;
  };
  // The second half: all who accept the access tokens.
  const tell = async (ids: readonly SessionId[]): Promise<void> => {
    if (ids.length === 0) return;
    await Promise.all(ids.map((id) => denied.add(id)));
    onEnd(ids);
  };
  const endMany: SessionEnds['endMany'] = async (ids) => {
    if (ids.length > 0) await mark({ _id: { $in: [...ids] } });
    await tell(ids);
  };
  const markWith = (of: AccountKey, entryOf: (ended: number) => AuditEntry): Promise<number> =>
    transact(mongo, clock, async (session) => {
      const ended = await mark(keyOf(of), { session });
      await storeEntries(mongo, [entryOf(ended)], { session });
      return ended;
    });
  return {
    endMany,
    endOldest: async (of) => {
      for (;;) {
        const oldest = await listOldest(rows, of, mostSessions);
        await endMany(oldest);
        if (oldest.length < BATCH) return;
      }
    },
    endAllOf: async (of, entryOf) => {
      const ended = await (entryOf === undefined ? mark(keyOf(of)) : markWith(of, entryOf));
      // Earlier ends are told again, because a crash may have cut one short.
      for (let page = await listEndedOf(rows, of, null); ; page = await listEndedOf(rows, of, page.next)) {
        await tell(page.items);
        if (page.next === null) return ended;
      }
    },
    isEnded: async (id) => {
      // If Redis is away or may have lost the entry, the row says it too, only more slowly.
      const state = await denied.stateOf(id).catch(() => 'unknown');
      if (state !== 'unknown') return state === 'ended';
      const row = await rows.findOne({ _id: id });
      return row === null || row.revokedAt !== null;
    },
    listEnded: (ids) => listEnded(rows, ids),
    close: () => denied.close(),
  };
}

async function listEnded(rows: Rows, ids: readonly SessionId[]): Promise<SessionId[]> {
  const live = { _id: { $in: [...ids] }, revokedAt: null };
  const found = await rows.find(live, { projection: { _id: 1 } }).toArray();
  const known = new Set(found.map(({ _id }) => _id));
  return ids.filter((id) => !known.has(id));
}

/** Live sessions of a holder beyond the newest ones that are kept. */
async function listOldest(rows: Rows, of: AccountKey, kept: number): Promise<SessionId[]> {
  const found = await rows
    .find({ ...keyOf(of), revokedAt: null }, { projection: { _id: 1 } })
    .sort({ _id: -1 })
    .skip(kept)
    .limit(BATCH)
    .toArray();
  return found.map(({ _id }) => _id);
}

/** Ended sessions of a holder whose access tokens may not have expired. */
async function listEndedOf(rows: Rows, of: AccountKey, after: PageMark | null): Promise<Page<SessionId>> {
  const ended = { ...keyOf(of), revokedAt: { $gt: 0 }, ...rowsAfter(after, LAST_ENDED_FIRST) };
  const found = await rows
    .find(ended, { projection: { revokedAt: 1 } })
    .sort(LAST_ENDED_FIRST)
    .limit(BATCH + 1)
    .toArray();
  const { items, next } = pageOf(found, BATCH, ({ _id, revokedAt }) => ({ at: revokedAt ?? 0, id: _id }));
  return { items: items.map(({ _id }) => _id), next };
}
