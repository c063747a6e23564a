import { createHmac, timingSafeEqual } from 'node:crypto';
import type { mongo } from 'mongoose';
import { isId, newId, type CourierId, type SessionId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { AccountKey } from '../../ports/access.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import { createDeniedSessions } from './denied-sessions.ts';
import type { Mongo } from '../../engines/mongo.ts';
import type { RedisConnections } from '../../engines/redis/redis.ts';

/** Whose session it is. Staff are found by e-mail; `resets` says how often their password had been reset by then. */
export type Holder =
  | { readonly type: 'courier'; readonly courierId: CourierId; readonly liveMode: boolean }
  | { readonly type: 'staff'; readonly email: string; readonly resets: number };

/** The family of refresh tokens of one login. Times are machine time in ms. */
type SessionRow = {
  _id: SessionId;
  holder: Holder;
  /** Number of the newest refresh token. */
  counter: number;
  rotatedAt: number;
  revokedAt: number | null;
  /** The session ends then, however often it is refreshed. */
  mostOn: Date;
  /** When nobody needs the row any more. */
  endsOn: Date;
};

export type Session = { readonly id: SessionId; readonly holder: Holder; readonly refreshToken: string };

export type Sessions = {
  /** Begins a session; if the holder has too many, the oldest ones end. */
  begin(holder: Holder): Promise<Session>;
  /** Refuses `unauthorized`; a token that was used before ends the whole family. */
  refresh(token: string): Promise<Session>;
  /** Ends the family and its live access tokens. */
  end(id: SessionId): Promise<void>;
  /** Ends all sessions of a holder and says how many there were. */
  endAllOf(of: AccountKey): Promise<number>;
  isEnded(id: SessionId): Promise<boolean>;
  /** Those of the sessions that have ended, by their rows alone. */
  listEnded(ids: readonly SessionId[]): Promise<SessionId[]>;
};

type Needs = {
  readonly mongo: Mongo;
  readonly redis: RedisConnections;
  readonly pepper: string;
  readonly clock: Clock;
  readonly settings: Settings;
  /** Hears at once which sessions have ended. */
  readonly onEnd: (ids: readonly SessionId[]) => void;
};

/** A phone that lost the answer to a refresh may ask again for this long. */
const GRACE_MS = 30_000;
const TOKEN = /^(ses_[0-9a-z]{26})\.(\d{1,9})\.([\w-]{43})$/;

/**
 * Logins and their rotating refresh tokens. A token is derived from family and counter, so that the same successor can
 * be given twice though none is stored.
 */
export function createSessions(needs: Needs): Sessions {
  const { mongo, pepper, clock, settings } = needs;
  const rows = mongo.collection<SessionRow>('sessions');
  const { refreshIdleS, refreshMostS, mostSessions } = settings.auth;
  const now = (): number => clock.real.now();
  const inS = (seconds: number): Date => new Date(now() + seconds * 1000);
  const { endAll, listOf, ...ends } = createEnds(rows, needs);
  const macOf = (id: string, counter: number): string =>
    createHmac('sha256', pepper).update(`refresh.${id}.${counter}`).digest('base64url');
  const session = (id: SessionId, holder: Holder, counter: number): Session => ({
    id,
    holder,
    refreshToken: `${id}.${counter}.${macOf(id, counter)}`,
  });
  return {
    ...ends,
    begin: async (holder) => {
      const id = newId('ses');
      const [endsOn, mostOn] = [inS(Math.min(refreshIdleS, refreshMostS)), inS(refreshMostS)];
      await rows.insertOne({ _id: id, holder, counter: 1, rotatedAt: now(), revokedAt: null, mostOn, endsOn });
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
        // A session that an older version stored has no last end: it gets one now.
        { $set: { counter: counter + 1, rotatedAt: at, mostOn: { $ifNull: ['$mostOn', inS(refreshMostS)] } } },
        { $set: { endsOn: { $min: [inS(refreshIdleS), '$mostOn'] } } },
      ]);
      if (rotated !== null) return session(id, rotated.holder, counter + 1);
      const row = await rows.findOne(alive);
      if (row !== null && row.counter === counter + 1 && at - row.rotatedAt <= GRACE_MS) {
        return session(id, row.holder, row.counter);
      }
      // Somebody holds a token that its owner has used: nobody can say who of the two is the thief.
      if (row !== null && row.counter > counter) await endAll([id]);
      throw new Refusal('unauthorized');
    },
    end: (id) => endAll([id]),
    endAllOf: async (of) => {
      const ids = await listOf(of, 0);
      await endAll(ids);
      return ids.length;
    },
  };
}

type Ends = Pick<Sessions, 'isEnded' | 'listEnded'> & {
  readonly endAll: (ids: readonly SessionId[]) => Promise<void>;
  /** The live sessions of a holder, newest first, without as many of the newest as `kept`. */
  readonly listOf: (of: AccountKey, kept: number) => Promise<SessionId[]>;
};

/** How sessions end, and who knows of it. */
function createEnds(rows: mongo.Collection<SessionRow>, { redis, clock, settings, onEnd }: Needs): Ends {
  const { accessTtlS } = settings.auth;
  const denied = createDeniedSessions(redis, accessTtlS);
  return {
    endAll: async (ids) => {
      if (ids.length === 0) return;
      const at = clock.real.now();
      // After that no access token of theirs lives, and the rows are of no use.
      const endsOn = new Date(at + accessTtlS * 1000);
      await rows.updateMany({ _id: { $in: [...ids] }, revokedAt: null }, { $set: { revokedAt: at, endsOn } });
      await Promise.all(ids.map((id) => denied.add(id)));
      onEnd(ids);
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
      // When Redis is away, or may have forgotten it, the row knows it too, only slower.
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
  };
}

function keyOf(of: AccountKey): { 'holder.courierId': CourierId } | { 'holder.email': string } {
  return 'courierId' in of ? { 'holder.courierId': of.courierId } : { 'holder.email': of.email };
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
