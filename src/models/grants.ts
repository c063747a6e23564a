import { refuseSuspended } from '../domain/guards.ts';
import type { CourierId } from '../domain/ids.ts';
import { Refusal } from '../domain/refusals.ts';
import type { CourierStore, Grant, Tokens } from '../ports.ts';
import type { Settings } from '../settings.ts';
import type { AccessTokens } from './access-tokens.ts';
import { TEST_CODE, type OneTimeCodes } from './one-time-codes.ts';
import type { Holder, Session, Sessions } from './sessions.ts';
import type { Account, StaffAccounts } from './staff-accounts.ts';
import type { TryLimit } from './try-limit.ts';

type StaffHolder = Extract<Holder, { type: 'staff' }>;

/** What turns a proof into tokens. */
export type Grants = {
  readonly couriers: Pick<CourierStore, 'find' | 'findByPhone'>;
  readonly settings: Settings;
  readonly sessions: Sessions;
  readonly tokens: AccessTokens;
  readonly staff: StaffAccounts;
  readonly codes: OneTimeCodes;
  readonly limit: TryLimit;
};

/** Changes a one-time code, a password or a refresh token into tokens. */
export async function takeGrant(parts: Grants, grant: Grant): Promise<Tokens> {
  switch (grant.type) {
    case 'otp':
      return open(parts, await parts.sessions.begin(await checkCode(parts, grant.phone, grant.code)));
    case 'password':
      return open(parts, await parts.sessions.begin(await checkPassword(parts, grant.email, grant.password)));
    case 'refresh_token':
      return open(parts, await parts.sessions.refresh(grant.refreshToken));
  }
}

async function checkCode({ couriers, codes, limit }: Grants, phone: string, code: string): Promise<Holder> {
  await limit.take('login', phone);
  const liveMode = code !== TEST_CODE;
  const courier = await couriers.findByPhone(phone, liveMode);
  const isRight = !liveMode || (await codes.use(phone, code));
  if (courier === null || !isRight) throw new Refusal('otp_invalid');
  await Promise.all([limit.clear('login', phone), limit.clear('otp', phone)]);
  return { type: 'courier', courierId: courier.id, liveMode };
}

async function checkPassword({ staff, limit }: Grants, email: string, password: string): Promise<Holder> {
  const subject = email.trim().toLowerCase();
  await limit.take('login', subject);
  const account = await staff.check(email, password);
  if (account === null) throw new Refusal('unauthorized');
  await limit.clear('login', subject);
  return { type: 'staff', email: account.email, resets: account.resets };
}

/**
 * The tokens of a session that has just begun or gone on. The holder is read once more: a suspension, a reset or other
 * roles may have come meanwhile. Refuses `courier_not_verified` to a suspended courier.
 */
async function open(parts: Grants, session: Session): Promise<Tokens> {
  const { id, holder, refreshToken } = session;
  const expiresIn = parts.settings.auth.accessTtlS;
  const same = { refreshToken, expiresIn };
  try {
    if (holder.type === 'courier') {
      await requireCourier(parts, holder.courierId);
      const accessToken = await parts.tokens.issue({ ...holder, sessionId: id }, expiresIn);
      return { ...same, accessToken, courierId: holder.courierId, staffId: null };
    }
    const { staffId, roles } = await requireStaff(parts, holder);
    const accessToken = await parts.tokens.issue({ type: 'staff', staffId, roles, sessionId: id }, expiresIn);
    return { ...same, accessToken, courierId: null, staffId };
  } catch (error) {
    // A session whose holder may not use it must not stay behind.
    if (error instanceof Refusal && error.code !== 'busy') await parts.sessions.end(id);
    throw error;
  }
}

async function requireCourier({ couriers }: Grants, courierId: CourierId): Promise<void> {
  const courier = await couriers.find(courierId);
  if (courier === null) throw new Refusal('unauthorized');
  refuseSuspended(courier);
}

async function requireStaff({ staff }: Grants, { email, resets }: StaffHolder): Promise<Account> {
  const account = await staff.find(email);
  if (account === null || account.resets !== resets) throw new Refusal('unauthorized');
  return account;
}
