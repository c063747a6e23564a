import { createHmac, timingSafeEqual } from 'node:crypto';
import { isId, newId, type SessionId } from '../../../domain/ids.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { LoginFrom } from '../../../ports/access.ts';
import { createEnds, type SessionEnds, type SessionNeeds } from './end-sessions.ts';
import { type Holder, SESSIONS } from '../credential-shapes.ts';

export type Session = { readonly id: SessionId; readonly holder: Holder; readonly refreshToken: string };

export type Sessions = Omit<SessionEnds, 'endOldest'> & {
  /** Starts a session. If the holder has too many, the oldest ones end. */
  begin(holder: Holder, from: LoginFrom): Promise<Session>;
  /** Refuses `unauthorized` for an invalid token. A token that was used before ends the whole family. */
  refresh(token: string): Promise<Session>;
  /** Ends the family and its unexpired access tokens. */
  end(id: SessionId): Promise<void>;
};

/** For this long, a phone that lost the answer to a refresh may retry it. A tunnel takes minutes. */
const GRACE_MS = 180_000;
/** Characters that are kept of the name of a program. */
const MOST_OF_DEVICE = 200;
const TOKEN = /^(ses_[0-9a-z]{26})\.(\d{1,9})\.([\w-]{43})$/;

/**
 * Logins and their rotating refresh tokens. A token is derived from its family and number. So the server can issue the
 * same successor twice without storing it.
 */
export function createSessions(needs: SessionNeeds): Sessions {
  const { mongo, pepper, clock, settings } = needs;
  const rows = mongo.collection(SESSIONS);
  const { refreshIdleS, refreshMostS } = settings.auth;
  const now = (): number => clock.real.now();
  const inS = (seconds: number): Date => new Date(now() + seconds * 1000);
  const { endMany, endOldest, ...ends } = createEnds(rows, needs);
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
      await endOldest(holder);
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
      if (row !== null && row.counter > counter) await endMany([id]);
      throw new Refusal('unauthorized');
    },
    end: (id) => endMany([id]),
    endMany,
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
