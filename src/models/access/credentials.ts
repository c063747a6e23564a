import { createHash } from 'node:crypto';
import { SCOPES, type Caller } from '../../domain/access.ts';
import type { SessionId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { ApiKeys, AuditLog, Credentials, StaffDirectory } from '../../ports/access.ts';
import type { CourierStore } from '../../ports/couriers.ts';
import type { Bell, Clock, Log } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import { createAccessTokens } from './sessions/access-tokens.ts';
import { CallerCache } from './caller-cache.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { tellEnded, watchEnded } from './ended-credentials.ts';
import { checkPassword, takeGrant, type Grants } from './login/grants.ts';
import { createLoginLimits } from './login/login-limits.ts';
import { createCodeRequests } from './login/code-requests.ts';
import { createOneTimeCodes } from './login/one-time-codes.ts';
import type { RedisConnections } from '../../engines/redis/redis.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { createSessions } from './sessions/sessions.ts';
import { accountOf, listSessions } from './sessions/list-sessions.ts';
import { manageStaff } from './staff/manage-staff.ts';
import { createStaffAccounts } from './staff/staff-accounts.ts';
import { createTryLimit } from './login/try-limit.ts';
import { manageKeys } from './keys/manage-keys.ts';
import { newPassword } from './keys/key-rows.ts';
import { createVendorKeys } from './keys/vendor-keys.ts';

type Needs = {
  readonly mongo: Mongo;
  readonly audit: Pick<AuditLog, 'draft' | 'draftEdit' | 'isEdited'>;
  readonly redis: RedisConnections;
  readonly secrets: Pick<Secrets, 'tokenPrivateJwk' | 'pepper'>;
  readonly couriers: Pick<CourierStore, 'find' | 'findByPhone'>;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly sendOtp: (phone: string, code: string) => Promise<void>;
  /** Sampled, because any caller can cause its lines. */
  readonly log: Log;
  /** Informs all processes which sessions and keys have ended: their ids with spaces between them. */
  readonly endings: Bell;
};

/** Identifies callers by their credentials. All lifetimes are machine time. */
export function createCredentials(
  needs: Needs,
): Credentials & { readonly apiKeys: ApiKeys; readonly staff: StaffDirectory; close(): Promise<void> } {
  const { mongo, redis, clock, settings, couriers, endings } = needs;
  const { pepper, tokenPrivateJwk } = needs.secrets;
  const keys = createVendorKeys(mongo, pepper, clock);
  const apiKeys = manageKeys({ ...needs, pepper, onEnd: (id) => tellEnded(endings, [id]) });
  const parts: Grants = {
    couriers,
    settings,
    limits: createLoginLimits(redis, pepper, createTryLimit(redis, pepper, clock), settings),
    sessions: createSessions({ mongo, redis, pepper, clock, settings, onEnd: (ids) => tellEnded(endings, ids) }),
    tokens: createAccessTokens(tokenPrivateJwk, clock),
    staff: createStaffAccounts(mongo, clock),
    codes: createOneTimeCodes(mongo, pepper, clock, settings),
  };
  const staff = manageStaff({ ...needs, endSessions: (email) => parts.sessions.endAllOf({ email }) });
  const ended = watchEnded({ endings, keys, sessions: parts.sessions });
  const cache = new CallerCache(clock, ended.listEnded);
  ended.onEnded((ids) => cache.drop(ids));
  return {
    authenticate: async (token) => {
      const key = createHash('sha256').update(token).digest('base64url');
      const cached = cache.get(key);
      const caller = cached ?? (token.startsWith('dsk_') ? await keys.read(token) : await readToken(parts, token));
      if (cached === null) cache.set(key, caller);
      if (caller.type === 'vendor') keys.touch(caller.keyId);
      return caller;
    },
    requestOtp: createCodeRequests(parts, needs),
    grant: (grant, network, device = null) => takeGrant(parts, grant, { network, device }),
    logout: async (caller) => {
      if (!('sessionId' in caller)) return;
      await parts.sessions.end(caller.sessionId);
    },
    addVendorKey: async (vendorId, liveMode) => {
      const asked = { vendorId, liveMode, name: null, scopes: SCOPES, expiresAt: null };
      const { apiKey, key } = await apiKeys.create(asked);
      return { id: apiKey.id, key };
    },
    addStaff: async (member) => (await staff.add(member))?.id ?? null,
    resetStaff: async (member) => {
      const reset = await staff.replace(member);
      return reset === null ? null : { staffId: reset.id, endedSessions: reset.endedSessions };
    },
    newPassword,
    checkPassword: async (email, password, network) => void (await checkPassword(parts, { email, password }, network)),
    accountOf: (id) => accountOf(mongo, id),
    listSessions: (of) => listSessions(mongo, of, { now: clock.real.now(), most: settings.auth.mostSessions }),
    endSessions: (ids) => parts.sessions.endMany(ids),
    endSessionsOf: (account, entryOf) => parts.sessions.endAllOf(account, entryOf),
    ...ended,
    apiKeys,
    staff,
    close: () => parts.sessions.close(),
    issueInternal: (service, ttlS) => parts.tokens.issue({ type: 'internal', service }, ttlS),
  };
}

async function readToken({ tokens, sessions }: Grants, token: string): Promise<Caller> {
  const caller = await tokens.read(token);
  const sessionId: SessionId | null = caller.type === 'internal' ? null : caller.sessionId;
  if (sessionId !== null && (await sessions.isEnded(sessionId))) throw new Refusal('unauthorized');
  return caller;
}
