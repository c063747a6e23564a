import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Credentials } from '../../ports/access.ts';
import type { CourierStore } from '../../ports/couriers.ts';
import type { Log } from '../../ports/process.ts';
import type { LoginLimits } from './login-limits.ts';
import type { OneTimeCodes } from './one-time-codes.ts';

type Parts = {
  readonly couriers: Pick<CourierStore, 'findByPhone'>;
  readonly codes: Pick<OneTimeCodes, 'make'>;
  readonly limits: Pick<LoginLimits, 'countRequest' | 'countMessage'>;
};
type Needs = {
  readonly sendOtp: (phone: string, code: string) => Promise<void>;
  /** Sampled: anybody can make it write. */
  readonly log: Log;
};

/** Codes that are made at once: each is a write, and a flood must leave the database's connections to others. */
const LANES = 4;
/** Requests that wait for it. */
const MOST_WAITING = 200;
/** Messages that are being sent. */
const MOST_SENDING = 100;

/**
 * Makes and sends one-time codes. Nothing that depends on the phone is waited for, and a phone that nobody has gets a code
 * as well, which is not sent: neither the answer nor what a guess costs says who has an account. A courier of test mode
 * alone needs none.
 */
export function createCodeRequests(
  { couriers, codes, limits }: Parts,
  { sendOtp, log }: Needs,
): Credentials['requestOtp'] {
  const waiting: { readonly phone: string; readonly network: string }[] = [];
  let lanes = 0;
  let sending = 0;
  const send = async (phone: string, code: string): Promise<void> => {
    if (sending >= MOST_SENDING) throw new Error('too many messages are being sent');
    sending += 1;
    await sendOtp(phone, code).finally(() => (sending -= 1));
  };
  const make = async (phone: string, network: string): Promise<void> => {
    const courier = await couriers.findByPhone(phone, true);
    if (courier === null && (await couriers.findByPhone(phone, false)) !== null) return;
    // Before the code is made: one that is not sent must not replace one that was.
    await limits.countMessage(phone, courier === null ? null : network);
    const code = await codes.make(phone);
    if (courier !== null) void send(courier.phone, code).catch((error: unknown) => tell(error, network));
  };
  // The caller has been answered already, and asks for another code if none comes. Lines of a message are sampled: a flood
  // that a limit refuses must not hide that codes cannot be sent.
  const tell = (error: unknown, network: string): void => {
    const fields = { error: String(error), network };
    if (error instanceof Refusal && error.code === 'too_many_requests') log.warn(fields, 'a one-time code was refused');
    else log.error(fields, 'a one-time code was not sent');
  };
  const work = async (): Promise<void> => {
    lanes += 1;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { phone, network } = next;
      await make(phone, network).catch((error: unknown) => tell(error, network));
    }
    lanes -= 1;
  };
  return async (phone, network) => {
    await limits.countRequest(phone, network);
    if (waiting.length >= MOST_WAITING) throw new Refusal('busy');
    waiting.push({ phone, network });
    if (lanes < LANES) void work();
  };
}
