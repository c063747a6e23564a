import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { Credentials } from '../../../ports/access.ts';
import type { CourierStore } from '../../../ports/couriers.ts';
import type { Log } from '../../../ports/process.ts';
import type { LoginLimits } from './login-limits.ts';
import type { OneTimeCodes } from './one-time-codes.ts';

type Parts = {
  readonly couriers: Pick<CourierStore, 'findByPhone'>;
  readonly codes: Pick<OneTimeCodes, 'make'>;
  readonly limits: Pick<LoginLimits, 'countRequest' | 'countMessage'>;
};
type Needs = {
  readonly sendOtp: (phone: string, code: string) => Promise<void>;
  /** Sampled, because any caller can cause its lines. */
  readonly log: Log;
};

/** Codes made at the same time. Each is a write, and a flood must leave database connections for other work. */
const LANES = 4;
/** Most requests that wait for their code to be made. */
const MOST_WAITING = 200;
/** Most messages in flight. */
const MOST_SENDING = 100;

/**
 * Makes and sends one-time codes. The caller waits for nothing that depends on the phone. An unknown phone gets a code
 * too, which is not sent. So neither the answer nor the cost of a guess reveals who has an account. A courier who is in
 * test mode only does not need a code.
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
    // Counted before the code is made: an unsent code must not replace a sent one.
    await limits.countMessage(phone, courier === null ? null : network);
    const code = await codes.make(phone);
    if (courier !== null) void send(courier.phone, code).catch((error: unknown) => tell(error, network));
  };
  // The caller already has an answer, and requests another code if none arrives. The log samples lines by message, so a
  // flood of refused codes cannot hide that codes cannot be sent.
  const tell = (error: unknown, network: string): void => {
    const fields = { error, network };
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
