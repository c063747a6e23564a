import { Refusal } from '../domain/refusals.ts';
import type { CourierStore, Credentials, Log } from '../ports.ts';
import type { LoginLimits } from './login-limits.ts';
import type { OneTimeCodes } from './one-time-codes.ts';

type Parts = {
  readonly couriers: Pick<CourierStore, 'findByPhone'>;
  readonly codes: OneTimeCodes;
  readonly limits: LoginLimits;
};
type Needs = { readonly sendOtp: (phone: string, code: string) => Promise<void>; readonly log: Log };

/** Messages that are being sent. */
const MOST_UNDER_WAY = 100;

/**
 * Makes and sends one-time codes. Nothing that depends on the phone is waited for, and a phone that nobody has gets a code
 * as well, which is not sent: neither the answer nor what a guess costs says who has an account. A courier of test mode
 * alone needs none.
 */
export function createCodeRequests(
  { couriers, codes, limits }: Parts,
  { sendOtp, log }: Needs,
): Credentials['requestOtp'] {
  let underWay = 0;
  const send = async (phone: string, network: string): Promise<void> => {
    underWay += 1;
    try {
      const courier = await couriers.findByPhone(phone, true);
      if (courier === null && (await couriers.findByPhone(phone, false)) !== null) return;
      // Before the code is made: one that is not sent must not replace one that was.
      await limits.countMessage(phone, courier === null ? null : network);
      const code = await codes.make(phone);
      if (courier !== null) await sendOtp(courier.phone, code);
    } catch (error) {
      // The caller has been answered already, and asks for another code when none comes.
      log.error({ error: String(error), network }, 'a one-time code was not sent');
    } finally {
      underWay -= 1;
    }
  };
  return async (phone, network) => {
    if (underWay >= MOST_UNDER_WAY) throw new Refusal('busy');
    await limits.countRequest(phone, network);
    void send(phone, network);
  };
}
