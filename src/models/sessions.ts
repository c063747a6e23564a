import { createHmac, timingSafeEqual } from 'node:crypto';
import { isId, newId, type CourierId, type SessionId } from '../domain/ids.ts';
import { Refusal } from '../domain/refusals.ts';
import type { Clock } from '../ports.ts';
import type { Settings } from '../settings.ts';
import { createDeniedSessions } from './denied-sessions.ts';
import type { Mongo } from './mongo.ts';
import type { RedisConnections } from './redis.ts';

/** Whose session it is: a courier by id, staff by e-mail, since that is where their account is found. */
export type Holder =
  | { readonly type: 'courier'; readonly courierId: CourierId; readonly liveMode: boolean }
  | { readonly type: 'staff'; readonly email: string };

/** The family of refresh tokens of one log-in. Times are machine time in ms. */
type SessionRow = {
  _id: SessionId;
  holder: Holder;
  /** Number of the newest refresh token. */
  counter: number;
  rotatedAt: number;
  revokedAt: number | null;
  /** When nobody needs the row any more. */
  endsOn: Date;
};

export type Session = { readonly id: SessionId; readonly holder: Holder; readonly refreshToken: string };

export type Sessions = {
  begin(holder: Holder): Promise<Session>;
  /** Refuses `unauthorized`; a token that was used before ends the whole family. */
  refresh(token: string): Promise<Session>;
  /** Ends the family and its live access tokens. */
  end(id: SessionId): Promise<void>;
  isEnded(id: SessionId): Promise<boolean>;
};

type Needs = {
  readonly mongo: Mongo;
  readonly redis: RedisConnections;
  readonly pepper: string;
  readonly clock: Clock;
  readonly settings: Settings;
};

/** A phone that lost the answer to a refresh may ask again for this long. */
const GRACE_MS = 30_000;
const TOKEN = /^(ses_[0-9a-z]{26})\.(\d{1,9})\.([\w-]{43})$/;

/**
 * Log-ins and their rotating refresh tokens. A token is derived from family and counter, so that the same successor can
 * be given twice though none is stored.
 */
export function createSessions({ mongo, redis, pepper, clock, settings }: Needs): Sessions {
  const rows = mongo.collection<SessionRow>('sessions');
  const idleMs = settings.auth.refreshIdleS * 1000;
  const now = (): number => clock.real.now();
  const used = (counter: number) => ({ counter, rotatedAt: now(), endsOn: new Date(now() + idleMs) });
  const denied = createDeniedSessions(redis, settings.auth.accessTtlS);
  const macOf = (id: string, counter: number): string =>
    createHmac('sha256', pepper).update(`refresh.${id}.${counter}`).digest('base64url');
  const session = (id: SessionId, holder: Holder, counter: number): Session => ({
    id,
    holder,
    refreshToken: `${id}.${counter}.${macOf(id, counter)}`,
  });

  const end = async (id: SessionId): Promise<void> => {
    await rows.updateOne({ _id: id, revokedAt: null }, { $set: { revokedAt: now() } });
    await denied.add(id);
  };

  return {
    begin: async (holder) => {
      const id = newId('ses');
      await rows.insertOne({ _id: id, holder, revokedAt: null, ...used(1) });
      return session(id, holder, 1);
    },
    refresh: async (token) => {
      const given = parse(token, macOf);
      if (given === null) throw new Refusal('unauthorized');
      const { id, counter } = given;
      const at = now();
      const rotated = await rows.findOneAndUpdate(
        { _id: id, counter, revokedAt: null, endsOn: { $gt: new Date(at) } },
        { $set: used(counter + 1) },
      );
      if (rotated !== null) return session(id, rotated.holder, counter + 1);
      const row = await rows.findOne({ _id: id, revokedAt: null, endsOn: { $gt: new Date(at) } });
      if (row !== null && row.counter === counter + 1 && at - row.rotatedAt <= GRACE_MS) {
        return session(id, row.holder, row.counter);
      }
      // Somebody holds a token that its owner has used: nobody can say who of the two is the thief.
      if (row !== null && row.counter > counter) await end(id);
      throw new Refusal('unauthorized');
    },
    end,
    isEnded: async (id) => {
      // When Redis is away, or may have forgotten it, the row knows it too, only slower.
      const state = await denied.stateOf(id).catch(() => 'unknown');
      if (state !== 'unknown') return state === 'ended';
      const row = await rows.findOne({ _id: id });
      return row === null || row.revokedAt !== null;
    },
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
