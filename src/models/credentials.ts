import { createHash } from 'node:crypto';
import type { Caller } from '../domain/access.ts';
import type { SessionId } from '../domain/ids.ts';
import { Refusal } from '../domain/refusals.ts';
import type { Clock, CourierStore, Credentials, Grant, Log, Tokens } from '../ports.ts';
import type { Settings } from '../settings.ts';
import { createAccessTokens, type AccessTokens } from './access-tokens.ts';
import { CallerCache } from './caller-cache.ts';
import type { Mongo } from './mongo.ts';
import { createOneTimeCodes, TEST_CODE, type OneTimeCodes } from './one-time-codes.ts';
import type { RedisConnections } from './redis.ts';
import type { Secrets } from './secrets.ts';
import { createSessions, type Holder, type Session, type Sessions } from './sessions.ts';
import { createStaffAccounts, type StaffAccounts } from './staff-accounts.ts';
import { createTryLimit, type TryLimit } from './try-limit.ts';
import { createVendorKeys } from './vendor-keys.ts';

type Needs = {
  readonly mongo: Mongo;
  readonly redis: RedisConnections;
  readonly secrets: Pick<Secrets, 'tokenPrivateJwk' | 'pepper'>;
  readonly couriers: Pick<CourierStore, 'findByPhone'>;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly sendOtp: (phone: string, code: string) => Promise<void>;
  readonly log: Log;
};

type Parts = Pick<Needs, 'couriers' | 'settings'> & {
  readonly sessions: Sessions;
  readonly tokens: AccessTokens;
  readonly staff: StaffAccounts;
  readonly codes: OneTimeCodes;
  readonly limit: TryLimit;
};

/** Who callers are and how they prove it. All lives are machine time. */
export function createCredentials(needs: Needs): Credentials {
  const { mongo, redis, clock, settings, couriers, log } = needs;
  const { pepper, tokenPrivateJwk } = needs.secrets;
  const keys = createVendorKeys(mongo, pepper);
  const limit = createTryLimit(redis, pepper, clock);
  const parts: Parts = {
    couriers,
    settings,
    limit,
    sessions: createSessions({ mongo, redis, pepper, clock, settings }),
    tokens: createAccessTokens(tokenPrivateJwk, clock),
    staff: createStaffAccounts(mongo),
    codes: createOneTimeCodes(mongo, pepper, clock, settings),
  };
  const cache = new CallerCache(clock);
  return {
    authenticate: async (token) => {
      const key = createHash('sha256').update(token).digest('base64url');
      const cached = cache.get(key);
      if (cached !== null) return cached;
      const caller = token.startsWith('dsk_') ? await keys.read(token) : await readToken(parts, token);
      cache.set(key, caller);
      return caller;
    },
    requestOtp: async (phone) => {
      await limit.take('otp', phone);
      const courier = await couriers.findByPhone(phone, true);
      if (courier === null) return;
      // Not awaited: the answer must take the same time for a phone nobody has.
      void sendCode(parts, needs, courier.phone).catch((error: unknown) =>
        log.error({ error: String(error), courier_id: courier.id }, 'a one-time code was not sent'),
      );
    },
    grant: (grant) => take(parts, grant),
    logout: async (caller) => {
      if (!('sessionId' in caller)) return;
      await parts.sessions.end(caller.sessionId);
      cache.drop(caller.sessionId);
    },
    addVendorKey: (vendorId, liveMode) => keys.add(vendorId, liveMode, clock.real.now()),
    addStaff: (staff) => parts.staff.set(staff),
    issueInternal: (service, ttlS) => parts.tokens.issue({ type: 'internal', service }, ttlS),
  };
}

async function readToken({ tokens, sessions }: Parts, token: string): Promise<Caller> {
  const caller = await tokens.read(token);
  const sessionId: SessionId | null = caller.type === 'internal' ? null : caller.sessionId;
  if (sessionId !== null && (await sessions.isEnded(sessionId))) throw new Refusal('unauthorized');
  return caller;
}

async function sendCode({ codes }: Parts, { sendOtp }: Needs, phone: string): Promise<void> {
  await sendOtp(phone, await codes.make(phone));
}

async function take(parts: Parts, grant: Grant): Promise<Tokens> {
  switch (grant.type) {
    case 'otp':
      return open(parts, await parts.sessions.begin(await checkCode(parts, grant.phone, grant.code)));
    case 'password':
      return open(parts, await parts.sessions.begin(await checkPassword(parts, grant.email, grant.password)));
    case 'refresh_token':
      return open(parts, await parts.sessions.refresh(grant.refreshToken));
  }
}

async function checkCode({ couriers, codes, limit }: Parts, phone: string, code: string): Promise<Holder> {
  await limit.take('login', phone);
  const liveMode = code !== TEST_CODE;
  const courier = await couriers.findByPhone(phone, liveMode);
  const isRight = !liveMode || (await codes.use(phone, code));
  if (courier === null || !isRight) throw new Refusal('otp_invalid');
  await Promise.all([limit.clear('login', phone), limit.clear('otp', phone)]);
  return { type: 'courier', courierId: courier.id, liveMode };
}

async function checkPassword({ staff, limit }: Parts, email: string, password: string): Promise<Holder> {
  const subject = email.trim().toLowerCase();
  await limit.take('login', subject);
  const account = await staff.check(email, password);
  if (account === null) throw new Refusal('unauthorized');
  await limit.clear('login', subject);
  return { type: 'staff', email: account.email };
}

/** The tokens of a session that has just begun or gone on; the roles are those of this moment. */
async function open({ tokens, staff, settings }: Parts, { id, holder, refreshToken }: Session): Promise<Tokens> {
  const expiresIn = settings.auth.accessTtlS;
  const same = { refreshToken, expiresIn };
  if (holder.type === 'courier') {
    const accessToken = await tokens.issue({ ...holder, sessionId: id }, expiresIn);
    return { ...same, accessToken, courierId: holder.courierId, staffId: null };
  }
  const account = await staff.find(holder.email);
  if (account === null) throw new Refusal('unauthorized');
  const { staffId, roles } = account;
  const accessToken = await tokens.issue({ type: 'staff', staffId, roles, sessionId: id }, expiresIn);
  return { ...same, accessToken, courierId: null, staffId };
}
