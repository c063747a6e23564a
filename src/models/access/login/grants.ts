import { refuseSuspended } from '../../../domain/couriers/not-active.ts';
import type { CourierId } from '../../../domain/ids.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { Grant, LoginFrom, Tokens } from '../../../ports/access.ts';
import type { CourierStore } from '../../../ports/couriers.ts';
import type { Settings } from '../../../settings.ts';
import type { AccessTokens } from '../sessions/access-tokens.ts';
import type { Attempt, LoginLimits, LoginTry } from './login-limits.ts';
import { TEST_CODE, type OneTimeCodes } from './one-time-codes.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import type { Account, StaffAccounts } from '../staff/staff-accounts.ts';
import type { Holder } from '../credential-shapes.ts';

type StaffHolder = Extract<Holder, { type: 'staff' }>;

/** The parts that exchange a proof for tokens. */
export type Grants = {
  readonly couriers: Pick<CourierStore, 'find' | 'findByPhone'>;
  readonly settings: Settings;
  readonly sessions: Sessions;
  readonly tokens: AccessTokens;
  readonly staff: StaffAccounts;
  readonly codes: OneTimeCodes;
  readonly limits: LoginLimits;
};

/**
 * Exchanges a one-time code, a password or a refresh token for tokens.
 * @param from the program, and the part of the caller's address that limits count by
 */
export async function takeGrant(parts: Grants, grant: Grant, from: LoginFrom): Promise<Tokens> {
  const { network } = from;
  switch (grant.type) {
    case 'otp':
      return open(parts, await parts.sessions.begin(await checkCode(parts, grant, network), from));
    case 'password':
      return open(parts, await parts.sessions.begin(await checkPassword(parts, grant, network), from));
    case 'refresh_token':
      return open(parts, await parts.sessions.refresh(grant.refreshToken));
  }
}

type OtpGrant = Extract<Grant, { type: 'otp' }>;
type PasswordGrant = Pick<Extract<Grant, { type: 'password' }>, 'email' | 'password'>;

async function checkCode(parts: Grants, { phone, code }: OtpGrant, network: string): Promise<Holder> {
  const { couriers, codes } = parts;
  const liveMode = code !== TEST_CODE;
  const attempt: Attempt = { purpose: liveMode ? 'otp:live' : 'otp:test', account: phone, network };
  const courier = await prove(parts, attempt, async ({ isKnown }) => {
    // The code is checked first, so that a guess costs the same for known and unknown phones.
    const isRight = !liveMode || (await codes.use(phone, code, isKnown));
    return isRight ? couriers.findByPhone(phone, liveMode) : null;
  });
  if (courier === null) throw new Refusal('otp_invalid');
  return { type: 'courier', courierId: courier.id, liveMode };
}

/** Refuses `unauthorized` for a wrong password, and counts it. */
export async function checkPassword(
  parts: Grants,
  { email, password }: PasswordGrant,
  network: string,
): Promise<StaffHolder> {
  const attempt: Attempt = { purpose: 'password', account: email.trim().toLowerCase(), network };
  const account = await prove(parts, attempt, ({ isKnown }) =>
    parts.staff.check(email, password, { network, isKnown }),
  );
  if (account === null) throw new Refusal('unauthorized');
  return { type: 'staff', email: account.email, resets: account.resets };
}

/** Counts a try to log in. `check` returns null for a wrong proof. If `check` throws, the try does not count. */
async function prove<T>(
  { limits }: Grants,
  attempt: Attempt,
  check: (tried: LoginTry) => Promise<T | null>,
): Promise<T | null> {
  const tried = await limits.begin(attempt);
  try {
    const proven = await check(tried);
    await (proven === null ? tried.fail() : tried.succeed());
    return proven;
  } catch (error) {
    await tried.giveBack();
    throw error;
  }
}

/**
 * Issues the tokens of a session that was just started or refreshed. It reads the holder again, because a suspension, a
 * reset or new roles may have come meanwhile. Refuses `courier_not_verified` for a suspended courier.
 */
async function open(parts: Grants, session: Session): Promise<Tokens> {
  const { id, holder, refreshToken } = session;
  const expiresIn = parts.settings.auth.accessTtlS;
  const same = { refreshToken, expiresIn };
  try {
    if (holder.type === 'courier') {
      await requireCourier(parts, holder.courierId);
      const accessToken = await parts.tokens.issue({ ...holder, sessionId: id }, expiresIn);
      return { ...same, accessToken, courierId: holder.courierId, staffId: null, roles: null };
    }
    const { staffId, roles } = await requireStaff(parts, holder);
    const accessToken = await parts.tokens.issue({ type: 'staff', staffId, roles, sessionId: id }, expiresIn);
    return { ...same, accessToken, courierId: null, staffId, roles };
  } catch (error) {
    // The holder may not use this session, so it must not remain.
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
