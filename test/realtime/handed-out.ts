import type { Caller } from '../../src/domain/access.ts';
import { newId } from '../../src/domain/ids.ts';
import { Refusal } from '../../src/domain/refusals/refusals.ts';
import type { Credentials } from '../../src/ports/access.ts';
import type { Clock } from '../../src/ports/process.ts';

/** Credentials whose tokens a test hands out; they expire as real ones do. */
export function handedOut(clock: Clock): Credentials & { give(caller: Caller): string } {
  const tokens = new Map<string, Caller>();
  const never = (): Promise<never> => Promise.reject(new Error('not in these tests'));
  return {
    give: (caller) => {
      const token = newId('req');
      tokens.set(token, caller);
      return token;
    },
    authenticate: async (token) => {
      const caller = tokens.get(token);
      if (caller === undefined) throw new Refusal('unauthorized');
      if ('expiresAt' in caller && (caller.expiresAt ?? Infinity) <= clock.real.now())
        throw new Refusal('token_expired');
      return caller;
    },
    requestOtp: never,
    grant: never,
    logout: never,
    addVendorKey: never,
    addStaff: never,
    resetStaff: never,
    endSessionsOf: never,
    newPassword: () => '',
    checkPassword: never,
    accountOf: never,
    listSessions: never,
    endSessions: never,
    onEnded: () => () => undefined,
    listEnded: () => Promise.resolve(new Set()),
    issueInternal: never,
  };
}
