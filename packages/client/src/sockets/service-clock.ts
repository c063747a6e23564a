import { createClient } from '../client.ts';
import { NoAnswer } from '../problems.ts';
import { hasJumped, spanMs, thisMoment, type Moment } from './moments.ts';

/** The clock of the service. The clock of a phone may differ from it by hours. */
export type ServiceClock = {
  /** The time of the service at a moment of this machine, epoch ms. */
  at(moment: Moment): number;
  /**
   * Whether the time of the service is known: it was told, or asked for in vain, since the last sleep or change of the wall
   * clock. A time that was told counts on the next connection too. A question in vain does not.
   */
  isRead(): boolean;
  /**
   * Asks the service, once for all who wait, and repeats the question for a minute. If no answer comes, the last known time
   * goes on, and the service is asked again after a minute.
   */
  read(): Promise<void>;
  /** Takes a time that the service has just written. It counts until the service has told its time for the first time. */
  hear(now: number): void;
  /** Ends the question to a service whose connection is lost. Until the next one answers, the last known time goes on. */
  forget(): void;
};

/** Places do not wait longer than a minute for the time of the service, since a courier without places gets no offers. */
const RETRIES = { most: 60, withinMs: 60_000 };
const AGAIN_MS = 60_000;
/** The end of the year 9999, and the fastest clock that stays in the range of dates then. */
const [MOST_TIME, MOST_SCALE] = [253_402_300_799_999, 10_000];

export function createServiceClock(baseUrl: string | readonly string[]): ServiceClock {
  const { service } = createClient({ baseUrl, retries: RETRIES, timeoutMs: 5000, fetch: timed });
  // Until the service has answered, the clock of this machine stands for its clock.
  let told = { now: Date.now(), scale: 1, heardAt: thisMoment() };
  let isTold = false;
  let readAt: Moment | null = null;
  let reading: Promise<void> | null = null;
  let current = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let askedAt = told.heardAt;

  /** The answer tells the time in the middle of its own try, not of all tries. */
  function timed(...request: Parameters<typeof fetch>): Promise<Response> {
    askedAt = thisMoment();
    return fetch(...request);
  }
  async function ask(signal: AbortSignal): Promise<void> {
    try {
      const { now, clock_scale: scale } = await service.getHealth({ signal });
      const heardAt = thisMoment();
      if (signal.aborted) return;
      // If the machine slept since the question, the answer may be as old as the sleep.
      if (hasJumped(askedAt, heardAt)) return await ask(signal);
      if (!isTime(now) || !isWithin(scale, MOST_SCALE)) throw new NoAnswer('GET /healthz', { status: 200 });
      told = { now, scale, heardAt: middleOf(askedAt, heardAt) };
      isTold = true;
    } catch {
      // Without an answer, or without a time in it, the last known time goes on.
      if (signal.aborted) return;
      timer = setTimeout(() => void clock.read(), AGAIN_MS);
    }
    readAt = thisMoment();
  }
  const clock: ServiceClock = {
    at: (moment) => told.now + spanMs(told.heardAt, moment) * told.scale,
    isRead: () => readAt !== null && !hasJumped(readAt, thisMoment()),
    read: () => {
      clearTimeout(timer);
      const { signal } = current;
      reading ??= ask(signal).finally(() => {
        if (!signal.aborted) reading = null;
      });
      return reading;
    },
    hear: (now) => {
      if (!isTold && isTime(now)) told = { now, scale: 1, heardAt: thisMoment() };
    },
    forget: () => {
      // An answer to a question from before does not count.
      current.abort();
      current = new AbortController();
      clearTimeout(timer);
      reading = null;
      if (!isTold) readAt = null;
    },
  };
  return clock;
}

/** Something on the way may answer instead of the service, such as the login page of a network. */
function isTime(value: unknown): boolean {
  return isWithin(value, MOST_TIME);
}

function isWithin(value: unknown, most: number): boolean {
  return typeof value === 'number' && value >= 0 && value <= most;
}

/** The service answers about in the middle of a request. */
function middleOf(from: Moment, to: Moment): Moment {
  return { steadyMs: (from.steadyMs + to.steadyMs) / 2, wallMs: (from.wallMs + to.wallMs) / 2 };
}
