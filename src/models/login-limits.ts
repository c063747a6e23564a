import { createHmac } from 'node:crypto';
import type { Settings } from '../settings.ts';
import type { RedisConnections } from './redis.ts';
import type { Counted, Limit, TryLimit } from './try-limit.ts';

/** What is proven: one-time codes of either mode and passwords are counted apart. */
export type Purpose = 'password' | 'otp:live' | 'otp:test';

/** Who tries to log in as whom. `network` is what limits count an address by. */
export type Attempt = { readonly purpose: Purpose; readonly account: string; readonly network: string };

/** A try that has been counted. */
export type LoginTry = {
  /** The account has been logged in to from this address lately. */
  readonly isKnown: boolean;
  /** The proof was right: forgets the wrong ones from this address, and knows the address from now on. */
  succeed(): Promise<void>;
  /** Nobody looked at the proof: the try does not count. */
  giveBack(): Promise<void>;
};

export type LoginLimits = {
  /** Counts a try to log in; refuses `too_many_requests` when it comes too soon. */
  begin(attempt: Attempt): Promise<LoginTry>;
  /** Counts a message with a one-time code; refuses alike. */
  countMessage(phone: string, network: string): Promise<void>;
};

/** How long an address stays known after a login: as long as a session may lie unused. */
const KNOWN_S = 30 * 86_400;
const MINUTE_MS = 60_000;

/**
 * How often anybody may try to log in. A wrong proof counts by address, by account and address, and by account. Where
 * the account has been logged in to from before, only the second counts: nobody else's tries can keep its owner out.
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
      // While Redis is away no address is known.
      const isKnown = (await commands.exists(keyOf(pair.subject)).catch(() => 0)) === 1;
      const address: Counted = { limit: limits.address, subject: network };
      const anywhere: Counted = { limit: limits.account, subject };
      const counted = isKnown ? [pair] : [address, pair, anywhere];
      await tries.take(counted);
      return {
        isKnown,
        succeed: async () => {
          const known = commands.set(keyOf(pair.subject), '1', 'EX', KNOWN_S).catch(() => undefined);
          await Promise.all([known, tries.giveBack(counted)]);
          await tries.clear(pair);
        },
        giveBack: () => tries.giveBack(counted),
      };
    },
    countMessage: async (phone, network) => {
      await tries.take([
        { limit: limits.messagesFrom, subject: network },
        { limit: limits.messagesTo, subject: phone },
      ]);
    },
  };
}

type Limits = Readonly<Record<'address' | 'pair' | 'account' | 'messagesFrom' | 'messagesTo', Limit>>;

// One row per line: this is a table.
// oxfmt-ignore
function limitsOf(auth: Settings['auth']): Limits {
  const { addressTries, addressPaceS, pairTries, pairPaceS, accountTries, accountPaceS, messagesPerPhone, messagesPerAddress } = auth;
  return {
    address:      { name: 'address', free: addressTries, firstWaitMs: 1000, paceMs: addressPaceS * 1000 },
    pair:         { name: 'pair',    free: pairTries,    firstWaitMs: 1000, paceMs: pairPaceS * 1000 },
    account:      { name: 'account', free: accountTries, firstWaitMs: 1000, paceMs: accountPaceS * 1000 },
    messagesFrom: { name: 'from',    free: messagesPerAddress, ...hourly(messagesPerAddress) },
    messagesTo:   { name: 'to',      free: messagesPerPhone,   ...hourly(messagesPerPhone) },
  };
}

function hourly(count: number): Pick<Limit, 'firstWaitMs' | 'paceMs'> {
  const paceMs = (60 * MINUTE_MS) / count;
  return { firstWaitMs: paceMs, paceMs };
}
