import type { Fix, PingAnswer } from '../generated/messages.ts';
import { ANSWER_MS, type Connection } from './connection.ts';
import { thisMoment, type Moment } from './moments.ts';
import type { ServiceClock } from './service-clock.ts';

/** A place of the phone, as the phone reports it. Values that it does not know are null or absent. */
export type Place = {
  readonly lat: number;
  readonly lng: number;
  readonly accuracy_m?: number | null | undefined;
  readonly speed_mps?: number | null | undefined;
  /** Degrees; 0 is north. */
  readonly heading_deg?: number | null | undefined;
};

export type PingQueue = {
  /** Queues the place where the phone is now, and sends what waits. */
  add(place: Place): void;
  /** Sends what waits, such as after a reconnection. */
  flush(): void;
  /** The number of fixes that the service does not have yet. */
  waiting(): number;
  /** Resolves when the service has every place that waits now, or the queue has dropped it. */
  whenSent(): Promise<void>;
  close(): void;
};

/** A connection as far as the queue uses it. Its socket is null while there is no connection. */
type PingConnection = Pick<Connection, 'doubt'> & { socket(): PingSocket | null };
type PingSocket = {
  timeout(ms: number): { emitWithAck(name: 'ping', message: { readonly fixes: readonly Fix[] }): Promise<unknown> };
};

type Answer =
  | ({ readonly ok: true } & PingAnswer)
  | { readonly ok: false; readonly problem: { readonly retryable: boolean } };

/** A fix whose time is still that of this machine. */
type Waiting = { readonly seq: number; readonly madeAt: Moment; readonly place: Place };

/** Fixes of one message. */
const MOST_SENT = 50;
/** Fixes that wait: more than an hour at one fix in 4 s. Then the oldest are dropped. */
const MOST_WAITING = 1000;
const AGAIN_MS = 2000;

/**
 * The fixes that the service does not have yet, oldest first, with one message in flight.
 * @param firstSeq the number of the first fix. Numbers rise with every fix of a phone, over restarts too
 */
export function createPingQueue(connection: PingConnection, clock: ServiceClock, firstSeq: number): PingQueue {
  let fixes: Waiting[] = [];
  let next = firstSeq;
  let isSending = false;
  /** While it runs, the queue sends nothing. A timer alone decides, since it may fire before a clock shows its time. */
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waiters = createWaiters();

  const flush = (): void => void send();
  const keep = (kept: Waiting[]): void => {
    fixes = kept;
    waiters.tell(fixes[0]?.seq ?? next);
  };
  const flushIn = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      flush();
    }, ms);
  };
  const take = (sent: readonly Waiting[], answer: Answer): void => {
    if (!answer.ok && answer.problem.retryable) return flushIn(AGAIN_MS);
    // A batch that came too soon was dropped whole, so it waits in the queue.
    if (answer.ok && answer.slow_down_ms !== undefined) return flushIn(answer.slow_down_ms);
    // A refused batch would be refused again. The number of a taken batch also covers the fixes that the service dropped.
    const through = Math.max(sent.at(-1)?.seq ?? 0, answer.ok ? answer.seq : 0);
    keep(fixes.filter(({ seq }) => seq > through));
  };
  async function send(): Promise<void> {
    const socket = connection.socket();
    if (socket === null || isSending || fixes.length === 0 || timer !== undefined) return;
    if (!clock.isRead()) return void clock.read().then(flush);
    isSending = true;
    const sent = fixes.slice(0, MOST_SENT);
    const sentAt = performance.now();
    try {
      const message = { fixes: sent.map((one) => fixOf(one, clock)) };
      take(sent, (await socket.timeout(ANSWER_MS).emitWithAck('ping', message)) as Answer);
    } catch {
      // The fixes are still queued, and the service knows the numbers that it has.
      connection.doubt(sentAt);
      flushIn(AGAIN_MS);
    } finally {
      isSending = false;
    }
    flush();
  }
  return {
    add: (place) => {
      keep([...fixes, { seq: next, madeAt: thisMoment(), place }].slice(-MOST_WAITING));
      next += 1;
      flush();
    },
    flush,
    waiting: () => fixes.length,
    whenSent: () => (fixes.length === 0 ? Promise.resolve() : waiters.wait(next)),
    close: () => {
      clearTimeout(timer);
      keep([]);
    },
  };
}

/** Those who wait until no fix before a number is in the queue. */
function createWaiters() {
  let waiting: { readonly before: number; readonly done: () => void }[] = [];
  return {
    wait: (before: number): Promise<void> => new Promise((done) => void waiting.push({ before, done })),
    /** @param first the number of the first fix in the queue, or of the next one */
    tell: (first: number): void => {
      for (const { before, done } of waiting) if (before <= first) done();
      waiting = waiting.filter(({ before }) => before > first);
    },
  };
}

function fixOf({ seq, madeAt, place }: Waiting, clock: ServiceClock): Fix {
  const { lat, lng, accuracy_m: accuracyM = null, speed_mps: speedMps = null, heading_deg: headingDeg = null } = place;
  return [seq, Math.round(clock.at(madeAt)), lat, lng, accuracyM, speedMps, headingDeg];
}
