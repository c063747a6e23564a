import { createHmac, timingSafeEqual } from 'node:crypto';
import type { mongo as engine } from 'mongoose';
import type { AuditEntry } from '../../../domain/audit.ts';
import { isId, newId, type SessionId } from '../../../domain/ids.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { AccountKey, LoginFrom } from '../../../ports/access.ts';
import type { Clock } from '../../../ports/process.ts';
import type { Settings } from '../../../settings.ts';
import { storeWith } from '../../store-entries.ts';
import { keyOf } from './list-sessions.ts';
import { createDeniedSessions } from './denied-sessions.ts';
import type { Mongo } from '../../../engines/mongo.ts';
import type { RedisConnections } from '../../../engines/redis/redis.ts';
import { type Holder, SESSIONS, type SessionRow } from '../credential-shapes.ts';

export type Session = { readonly id: SessionId; readonly holder: Holder; readonly refreshToken: string };

export type Sessions = {
  /** Starts a session. If the holder has too many, the oldest ones end. */
  begin(holder: Holder, from: LoginFrom): Promise<Session>;
  /** Refuses `unauthorized` for an invalid token. A token that was used before ends the whole family. */
  refresh(token: string): Promise<Session>;
  /** Ends the family and its unexpired access tokens. */
  end(id: SessionId): Promise<void>;
  /** Ends several at once. */
  endMany(ids: readonly SessionId[]): Promise<void>;
  /** Ends all sessions of a holder, together with the entry for their number. Returns this number. */
  endAllOf(of: AccountKey, entryOf?: (ended: number) => AuditEntry): Promise<number>;
  isEnded(id: SessionId): Promise<boolean>;
  /** Finds which of these sessions have ended. It reads only their rows. */
  listEnded(ids: readonly SessionId[]): Promise<SessionId[]>;
  /** Tries to write the ends that Redis does not have yet. */
  close(): Promise<void>;
};

type Needs = {
  readonly mongo: Mongo;
  readonly redis: RedisConnections;
  readonly pepper: string;
  readonly clock: Clock;
  readonly settings: Settings;
  /** Called at once with the sessions that have ended. */
  readonly onEnd: (ids: readonly SessionId[]) => void;
};

/** For this long, a phone that lost the answer to a refresh may retry it. */
const GRACE_MS = 30_000;
/** Characters that are kept of the name of a program. */
const MOST_OF_DEVICE = 200;
const TOKEN = /^(ses_[0-9a-z]{26})\.(\d{1,9})\.([\w-]{43})$/;

/**
 * Logins and their rotating refresh tokens. A token is derived from its family and number. So the server can issue the
 * same successor twice without storing it.
 */
export function createSessions(needs: Needs): Sessions {
  const { mongo, pepper, clock, settings } = needs;
  const rows = mongo.collection(SESSIONS);
  const { refreshIdleS, refreshMostS, mostSessions } = settings.auth;
  const now = (): number => clock.real.now();
  const inS = (seconds: number): Date => new Date(now() + seconds * 1000);
  const { endAll, markAll, tellAll, listOf, listEndedOf, ...ends } = createEnds(rows, needs);
  const macOf = (id: string, counter: number): string =>
    createHmac('sha256', pepper).update(`refresh.${id}.${counter}`).digest('base64url');
  const session = (id: SessionId, holder: Holder, counter: number): Session => ({
    id,
    holder,
    refreshToken: `${id}.${counter}.${macOf(id, counter)}`,
  });
  return {
    ...ends,
    begin: async (holder, from) => {
      const id = newId('ses');
      const [endsOn, mostOn] = [inS(Math.min(refreshIdleS, refreshMostS)), inS(refreshMostS)];
      const at = now();
      const made = { counter: 1, rotatedAt: at, revokedAt: null, mostOn, endsOn, createdAt: at, network: from.network };
      const device = from.device === null ? {} : { device: from.device.slice(0, MOST_OF_DEVICE) };
      await rows.insertOne({ _id: id, holder, ...made, ...device });
      await endAll(await listOf(holder, mostSessions));
      return session(id, holder, 1);
    },
    refresh: async (token) => {
      const given = parse(token, macOf);
      if (given === null) throw new Refusal('unauthorized');
      const { id, counter } = given;
      const at = now();
      const alive = { _id: id, revokedAt: null, endsOn: { $gt: new Date(at) } };
      const rotated = await rows.findOneAndUpdate({ ...alive, counter }, [
        // A session from an older version lacks `mostOn` and gets it now.
        { $set: { counter: counter + 1, rotatedAt: at, mostOn: { $ifNull: ['$mostOn', inS(refreshMostS)] } } },
        { $set: { endsOn: { $min: [inS(refreshIdleS), '$mostOn'] } } },
      ]);
      if (rotated !== null) return session(id, rotated.holder, counter + 1);
      const row = await rows.findOne(alive);
      if (row !== null && row.counter === counter + 1 && at - row.rotatedAt <= GRACE_MS) {
        return session(id, row.holder, row.counter);
      }
      // Two callers have the same token, and the server cannot know which of them stole it.
      if (row !== null && row.counter > counter) await endAll([id]);
      throw new Refusal('unauthorized');
    },
    end: (id) => endAll([id]),
    endMany: endAll,
    endAllOf: async (of, entryOf) => {
      const ids = await listOf(of, 0);
      await markAll(ids, entryOf?.(ids.length) ?? null);
      // Earlier ends are told again, because a crash may have cut one short.
      await tellAll(await listEndedOf(of));
      return ids.length;
    },
  };
}

type Ends = Pick<Sessions, 'isEnded' | 'listEnded' | 'close'> & {
  readonly endAll: (ids: readonly SessionId[]) => Promise<void>;
  /** The first half of an end: the rows, with the entry of the audit log. */
  readonly markAll: (ids: readonly SessionId[], entry: AuditEntry | null) => Promise<void>;
  /** The second half of an end: all who accept the access tokens. */
  readonly tellAll: (ids: readonly SessionId[]) => Promise<void>;
  /** The live sessions of a holder, newest first, without the `kept` newest ones. */
  readonly listOf: (of: AccountKey, kept: number) => Promise<SessionId[]>;
  /** The ended sessions of a holder whose access tokens may not have expired. */
  readonly listEndedOf: (of: AccountKey) => Promise<SessionId[]>;
};

/** Ends sessions and finds ended ones. */
function createEnds(rows: engine.Collection<SessionRow>, { mongo, redis, clock, settings, onEnd }: Needs): Ends {
  const { accessTtlS } = settings.auth;
  const denied = createDeniedSessions(redis, clock, accessTtlS);
  const markAll: Ends['markAll'] = async (ids, entry) => {
    if (ids.length === 0 && entry === null) return;
    const at = clock.real.now();
    // By then their access tokens have expired, and the rows are no longer needed.
    const endsOn = new Date(at + accessTtlS * 1000);
    await storeWith(mongo, clock, entry, (within) =>
      rows.updateMany({ _id: { $in: [...ids] }, revokedAt: null }, { $set: { revokedAt: at, endsOn } }, within),
    );
  };
  const tellAll: Ends['tellAll'] = async (ids) => {
    if (ids.length === 0) return;
    await Promise.all(ids.map((id) => denied.add(id)));
    onEnd(ids);
  };
  return {
    markAll,
    tellAll,
    endAll: async (ids) => {
      await markAll(ids, null);
      await tellAll(ids);
    },
    listEndedOf: async (of) => {
      const ended = { ...keyOf(of), revokedAt: { $ne: null } };
      return (await rows.find(ended, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id);
    },
    listOf: async (of, kept) => {
      const live = { ...keyOf(of), revokedAt: null };
      const found = await rows
        .find(live, { projection: { _id: 1 } })
        .sort({ _id: -1 })
        .skip(kept)
        .toArray();
      return found.map(({ _id }) => _id);
    },
    isEnded: async (id) => {
      // If Redis is away or may have lost the entry, the row says it too, only more slowly.
      const state = await denied.stateOf(id).catch(() => 'unknown');
      if (state !== 'unknown') return state === 'ended';
      const row = await rows.findOne({ _id: id });
      return row === null || row.revokedAt !== null;
    },
    listEnded: async (ids) => {
      const live = { _id: { $in: [...ids] }, revokedAt: null };
      const found = await rows.find(live, { projection: { _id: 1 } }).toArray();
      const known = new Set(found.map(({ _id }) => _id));
      return ids.filter((id) => !known.has(id));
    },
    close: () => denied.close(),
  };
}

function parse(
  token: string,
  macOf: (id: string, counter: number) => string,
): { id: SessionId; counter: number } | null {
  const [, id, counter = '', mac = ''] = TOKEN.exec(token) ?? [];
  if (!isId('ses', id)) return null;
  const isOurs = timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(id, Number(counter))));
  return isOurs ? { id, counter: Number(counter) } : null;
}
