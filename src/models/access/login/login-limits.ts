import { createHmac } from 'node:crypto';
import type { Settings } from '../../../settings.ts';
import type { RedisConnections } from '../../../engines/redis/redis.ts';
import type { Counted, Limit, TryLimit } from './try-limit.ts';

/** The kind of proof. Passwords, live codes and test codes are counted separately. */
export type Purpose = 'password' | 'otp:live' | 'otp:test';

/** A try to log in to an account. `network` is the part of the caller's address that limits count by. */
export type Attempt = { readonly purpose: Purpose; readonly account: string; readonly network: string };

/** A try that the limits have allowed. */
export type LoginTry = {
  /** True if there was a login to the account from this address lately. */
  readonly isKnown: boolean;
  /**
   * Reports a right proof. The wrong ones from this address are forgotten, and the address becomes known. Refuses
   * `too_many_requests` if the account has logged in too often.
   */
  succeed(): Promise<void>;
  /** Reports a wrong proof. */
  fail(): Promise<void>;
  /** Reports that the proof was not checked. The try does not count. */
  giveBack(): Promise<void>;
};

export type LoginLimits = {
  /** Allows a try to log in. Refuses `too_many_requests` if it comes too soon. */
  begin(attempt: Attempt): Promise<LoginTry>;
  /** Counts a request for a one-time code. Refuses likewise, also while the phone may not get another message. */
  countRequest(phone: string, network: string): Promise<void>;
  /** Counts a message to the phone. Refuses likewise. `network` is null if the phone is unknown, so nothing is sent. */
  countMessage(phone: string, network: string | null): Promise<void>;
};

/** How long an address stays known after a login: as long as a session may stay unused. */
const KNOWN_S = 30 * 86_400;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Limits how often a caller may try to log in. A wrong proof counts by address, by account and address, and by account.
 * From an address known for the account, only the second counts. So the tries of others cannot lock out its owner. A
 * right proof counts by account alone.
 */
export function createLoginLimits(
  { commands, prefix }: RedisConnections,
  pepper: string,
  tries: TryLimit,
  { auth }: Settings,
): LoginLimits {
  const limits = limitsOf(auth);
  const keyOf = (text: string): string =>
    `${prefix}known:${createHmac('sha256', pepper).update(text).digest('base64url')}`;
  return {
    begin: async ({ purpose, account, network }) => {
      const subject = `${purpose} ${account}`;
      const pair: Counted = { limit: limits.pair, subject: `${subject} ${network}` };
      // While Redis is away, every address is unknown.
      const isKnown = (await commands.exists(keyOf(pair.subject)).catch(() => 0)) === 1;
      const address: Counted = { limit: limits.address, subject: network };
      const logins: Counted = { limit: limits.logins, subject };
      const counted = isKnown ? [pair] : [pair, { limit: limits.account, subject }];
      // Only wrong proofs count by address, because all couriers behind a carrier's address may log in at once.
      if (!isKnown) await tries.check(address);
      // A login that will be refused must use up no code.
      await tries.check(logins);
      const giveBack = await tries.take(counted);
      return {
        isKnown,
        succeed: async () => {
          // Not before the proof is right, because the guesses of others must use up no logins of the owner.
          await tries.take([logins]);
          const known = commands.set(keyOf(pair.subject), '1', 'EX', KNOWN_S).catch(() => undefined);
          await Promise.all([known, giveBack()]);
          await tries.clear(pair);
        },
        fail: async () => void (isKnown || (await tries.count(address))),
        giveBack,
      };
    },
    countRequest: async (phone, network) => {
      await tries.take([{ limit: limits.requestsFrom, subject: network }]);
      await tries.check({ limit: limits.messagesTo, subject: phone });
    },
    countMessage: async (phone, network) => {
      const from = network === null ? [] : [{ limit: limits.messagesFrom, subject: network }];
      await tries.take([{ limit: limits.messagesTo, subject: phone }, ...from]);
    },
  };
}

type LimitName = 'address' | 'pair' | 'account' | 'logins' | 'requestsFrom' | 'messagesTo' | 'messagesFrom';
type Limits = Readonly<Record<LimitName, Limit>>;

// One row per line: this is a table.
// oxfmt-ignore
function limitsOf(auth: Settings['auth']): Limits {
  const { addressTries, addressPaceS, pairTries, pairPaceS, accountTries, accountPaceS } = auth;
  return {
    address:      { name: 'address', free: addressTries, firstWaitMs: 1000, paceMs: addressPaceS * 1000 },
    pair:         { name: 'pair',    free: pairTries,    firstWaitMs: 1000, paceMs: pairPaceS * 1000 },
    account:      { name: 'account', free: accountTries, firstWaitMs: 1000, paceMs: accountPaceS * 1000 },
    logins:       evenly('logins',        auth.loginsPerAccount,   MINUTE_MS),
    requestsFrom: evenly('requests-from', auth.requestsPerAddress, HOUR_MS),
    messagesTo:   evenly('messages-to',   auth.messagesPerPhone,   HOUR_MS),
    messagesFrom: evenly('messages-from', auth.messagesPerAddress, HOUR_MS),
  };
}

/** A limit that allows this many at once, and again this many in each span. */
function evenly(name: string, count: number, spanMs: number): Limit {
  const paceMs = spanMs / count;
  return { name, free: count, firstWaitMs: paceMs, paceMs };
}
