import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { accountOf, type Caller } from '../../domain/access.ts';
import { Refusal, type RefusalCode } from '../../domain/refusals/refusals.ts';
import type { Context } from '../../ports/context.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import { refusalOf } from '../error-handler.ts';
import { bytesReadOf } from './read-body.ts';

type Needs = Pick<Context, 'addressOf' | 'clock' | 'settings'>;

/** Refusals that concern the body itself. */
const OF_BODIES: ReadonlySet<RefusalCode> = new Set([
  'malformed_body',
  'invalid_params',
  'impossible_value',
  'unknown_field',
  'payload_too_large',
  'unsupported_media_type',
]);
/** Least count of a refused body, because its head and its problem object also cost something. */
const LEAST_BYTES = 1024;
/** Most waiting refusals of one sender. */
const MOST_WAITING = 32;
/** Most waiting refusals of all senders. Further ones are sent at once. */
const MOST_WAITING_IN_ALL = 1000;
/** Most senders in memory. The least recently used one is forgotten first. */
const MOST_SENDERS = 10_000;

/** One account at one address: the bytes of its refused bodies that still count, and the time of that count. */
type Sender = { bytes: number; countedAt: number; waiting: number };

export type RefusedBodies = {
  /** Refuses `too_many_requests` without reading the body if too many refusals of the sender are waiting. */
  readonly admit: RequestHandler;
  /** Delays the refusal of a body if the sender has sent too many refused ones. `maxBytes` is the limit of the body. */
  readonly delay: (maxBytes: number) => ErrorRequestHandler;
};

/**
 * Slows down callers with a credential whose bodies are refused again and again. It counts bytes, because they determine
 * the cost of a body. A few mistakes do not wait, but a flood of large or of many small bodies does. A waiting refusal
 * still counts after its caller disconnects, because a flood would otherwise reconnect instead of waiting.
 */
export function createRefusedBodies({ addressOf, clock, settings }: Needs): RefusedBodies {
  const senders = new Senders(settings.http, clock);
  const senderOf = (caller: Caller, req: Request): Sender =>
    senders.find(`${accountOf(caller)} ${addressOf(req).network}`);
  let waitingInAll = 0;
  const pause = async (sender: Sender, ms: number): Promise<void> => {
    sender.waiting += 1;
    waitingInAll += 1;
    await clock.real.sleep(ms);
    sender.waiting -= 1;
    waitingInAll -= 1;
  };
  return {
    admit: (req, res, next) => {
      const { caller } = res.locals;
      if (caller !== null && senderOf(caller, req).waiting >= MOST_WAITING) {
        res.setHeader('Connection', 'close');
        throw tooMany(Math.ceil(settings.http.refusedPauseRealMs / 1000));
      }
      next();
    },
    delay: (maxBytes) => async (error: unknown, req, res, next) => {
      const { caller } = res.locals;
      const { code } = refusalOf(error);
      if (caller === null || !OF_BODIES.has(code)) return next(error);
      const sender = senderOf(caller, req);
      const waitMs = senders.count(sender, bytesReadOf(req) ?? (code === 'payload_too_large' ? maxBytes : 0));
      if (waitMs > 0 && waitingInAll < MOST_WAITING_IN_ALL) {
        // The answer does not need the body, so the memory is freed.
        req.body = undefined;
        await pause(sender, waitMs);
        // The connection may have been closed during the wait.
        if (res.headersSent) return;
        res.setHeader('Connection', 'close');
      }
      next(error);
    },
  };
}

class Senders {
  readonly #limits: Settings['http'];
  readonly #clock: Clock;
  readonly #byName = new Map<string, Sender>();

  constructor(limits: Settings['http'], clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Finds the sender and subtracts the bytes that no longer count. */
  find(name: string): Sender {
    const now = this.#clock.real.elapsed();
    const sender = this.#byName.get(name) ?? { bytes: 0, countedAt: now, waiting: 0 };
    const madeUpFor = ((now - sender.countedAt) / 1000) * this.#limits.refusedBytesPerS;
    Object.assign(sender, { bytes: Math.max(0, sender.bytes - madeUpFor), countedAt: now });
    // The map is in the order of use.
    this.#byName.delete(name);
    this.#byName.set(name, sender);
    for (const oldest of this.#byName.keys()) {
      if (this.#byName.size <= MOST_SENDERS) break;
      this.#byName.delete(oldest);
    }
    return sender;
  }

  /** Counts a refused body. Returns the machine time in ms for which its refusal must wait. */
  count(sender: Sender, bytes: number): number {
    const { refusedBytes, refusedBytesPerS, refusedPauseRealMs } = this.#limits;
    const most = refusedBytes + (refusedPauseRealMs / 1000) * refusedBytesPerS;
    sender.bytes = Math.min(most, sender.bytes + Math.max(LEAST_BYTES, bytes));
    return Math.round((Math.max(0, sender.bytes - refusedBytes) / refusedBytesPerS) * 1000);
  }
}

function tooMany(retryAfterS: number): Refusal {
  const detail =
    `At most ${MOST_WAITING} refused requests of this account may wait for their answers. ` +
    'Send the next body after one of them has been answered.';
  return new Refusal('too_many_requests', { detail, metadata: { retry_after_s: retryAfterS } });
}
