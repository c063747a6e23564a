import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { credentialOf, type Caller } from '../../domain/access.ts';
import { Refusal, type RefusalCode } from '../../domain/refusals/refusals.ts';
import type { Context } from '../../ports/context.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import { refusalOf } from '../error-handler.ts';
import { bytesReadOf } from './read-body.ts';

type Needs = Pick<Context, 'addressOf' | 'clock' | 'settings'>;

/** Refusals that say that the body itself was wrong. */
const OF_BODIES: ReadonlySet<RefusalCode> = new Set([
  'malformed_body',
  'invalid_params',
  'unknown_field',
  'payload_too_large',
  'unsupported_media_type',
]);
/** What a refused body counts at least: its head and its problem object cost something too. */
const LEAST_BYTES = 1024;
/** Refusals of one sender that wait at a time. */
const MOST_WAITING = 32;
/** Refusals that wait in all; more are sent at once. */
const MOST_WAITING_IN_ALL = 1000;
/** Senders that are remembered; the one that was heard of least recently is forgotten first. */
const MOST_SENDERS = 10_000;

/** One credential at one address: bytes of its refused bodies that are not made up for yet, and when that was so. */
type Sender = { bytes: number; countedAt: number; waiting: number };

export type RefusedBodies = {
  /** Refuses `too_many_requests` to a sender of whom too many refusals wait; their body is not read. */
  readonly admit: RequestHandler;
  /** Lets the refusal of a body wait, if the sender has sent too many of them. `maxBytes` is the limit of the body. */
  readonly delay: (maxBytes: number) => ErrorRequestHandler;
};

/**
 * Slows down callers with a credential whose bodies are refused again and again. It counts bytes, since that is what
 * reading and judging a body costs: nobody waits for a few mistakes, and a flood waits whether its bodies are few and
 * large or many and small. A place stays taken when its caller goes, or a flood would reconnect instead of waiting.
 */
export function createRefusedBodies({ addressOf, clock, settings }: Needs): RefusedBodies {
  const senders = new Senders(settings.http, clock);
  const senderOf = (caller: Caller, req: Request): Sender =>
    senders.find(`${nameOf(caller)} ${addressOf(req).network}`);
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
        // What waits is the answer: the body would lie in memory for nothing.
        req.body = undefined;
        await pause(sender, waitMs);
        // While it waited the request may have been cut off.
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

  /** The sender, after time has made up for what it could. */
  find(name: string): Sender {
    const now = this.#clock.real.elapsed();
    const sender = this.#byName.get(name) ?? { bytes: 0, countedAt: now, waiting: 0 };
    const madeUpFor = ((now - sender.countedAt) / 1000) * this.#limits.refusedBytesPerS;
    Object.assign(sender, { bytes: Math.max(0, sender.bytes - madeUpFor), countedAt: now });
    // The map is kept in the order of use.
    this.#byName.delete(name);
    this.#byName.set(name, sender);
    for (const oldest of this.#byName.keys()) {
      if (this.#byName.size <= MOST_SENDERS) break;
      this.#byName.delete(oldest);
    }
    return sender;
  }

  /** Counts a refused body. Gives the machine time in ms that its refusal waits. */
  count(sender: Sender, bytes: number): number {
    const { refusedBytes, refusedBytesPerS, refusedPauseRealMs } = this.#limits;
    const most = refusedBytes + (refusedPauseRealMs / 1000) * refusedBytesPerS;
    sender.bytes = Math.min(most, sender.bytes + Math.max(LEAST_BYTES, bytes));
    return Math.round((Math.max(0, sender.bytes - refusedBytes) / refusedBytesPerS) * 1000);
  }
}

function nameOf(caller: Caller): string {
  return credentialOf(caller) ?? (caller.type === 'internal' ? caller.service : caller.type);
}

function tooMany(retryAfterS: number): Refusal {
  const detail =
    `The bodies of ${MOST_WAITING} requests with this credential were refused, and their answers wait, which is the limit. ` +
    'Until one of them is sent, no further body is read.';
  return new Refusal('too_many_requests', { detail, metadata: { retry_after_s: retryAfterS } });
}
