import type { Fix, PingAnswer } from '../generated/messages.ts';
import type { ProblemCode } from '../generated/types.ts';
import { ANSWER_MS } from '../pause.ts';
import { NoAnswer } from '../problems.ts';
import type { Connection } from './connection.ts';
import { AGAIN_MS, verdictIn, type PingVerdict } from './heard.ts';
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

/** Places that will never reach the service. */
export type DroppedPlaces = {
  readonly count: number;
  /**
   * `queue_full`: 1,000 newer places wait. The other reasons come from the service: one of its reasons to drop a place, here of the
   * first one, or the code of a problem if it refused the whole message.
   */
  readonly reason: 'queue_full' | NonNullable<PingAnswer['reason']> | ProblemCode;
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
type PingConnection = Pick<Connection, 'doubt' | 'watch'> & { socket(): PingSocket | null };
type PingSocket = {
  timeout(ms: number): { emitWithAck(name: 'ping', message: { readonly fixes: readonly Fix[] }): Promise<unknown> };
};

/** A fix whose time is still that of this machine. */
type Waiting = { readonly seq: number; readonly madeAt: Moment; readonly place: Place };

/** Fixes of one message. */
const MOST_SENT = 50;
/** Fixes that wait: more than an hour at one fix in 4 s. Then the oldest are dropped, except for those that the service may have. */
const MOST_WAITING = 1000;

/**
 * The fixes that the service does not have yet, oldest first, with one message in flight.
 * @param firstSeq the number of the first fix. Numbers rise with every fix of a phone, over restarts too
 */
export function createPingQueue(
  connection: PingConnection,
  clock: ServiceClock,
  firstSeq: number,
  onDropped: (dropped: DroppedPlaces) => void = () => {},
): PingQueue {
  const line = createLine(firstSeq);
  let inFlight: readonly Waiting[] = [];
  /** The last message had no answer, so the service may have these. They are repeated alone, until an answer tells. */
  let unsure: readonly Waiting[] = [];
  const flush = (): void => void send();
  const rest = createRest(flush);

  const take = (sent: readonly Waiting[], verdict: PingVerdict): void => {
    if ('waitMs' in verdict) return rest.begin(verdict.waitMs);
    unsure = [];
    // Refused and dropped fixes would be so again. The number of the answer may be that of another phone, which is far ahead.
    line.remove(sent.at(-1)?.seq ?? 0);
  };
  async function send(): Promise<void> {
    const socket = connection.socket();
    if (socket === null || inFlight.length > 0 || line.size() === 0 || rest.isOn()) return;
    if (!clock.isRead()) return void clock.read().then(flush);
    const isRepeat = unsure.length > 0;
    const sent = isRepeat ? unsure : line.oldest(MOST_SENT);
    inFlight = sent;
    const sentAt = performance.now();
    let dropped: DroppedPlaces | null = null;
    try {
      const fixes = sent.map((one) => fixOf(one, clock));
      const verdict = verdictIn(await connection.watch(socket.timeout(ANSWER_MS).emitWithAck('ping', { fixes })));
      if (verdict === null) throw new NoAnswer('ping');
      take(sent, verdict);
      dropped = lossOf(verdict, sent.length, isRepeat);
    } catch {
      // The fixes are still queued, and the service knows the numbers that it has. A new connection sends them at once.
      unsure = sent;
      connection.doubt(sentAt);
      if (connection.socket() !== null) rest.begin(AGAIN_MS);
    } finally {
      inFlight = [];
    }
    flush();
    if (dropped !== null) onDropped(dropped);
  }
  return {
    add: (place) => {
      const isFull = line.add(place, Math.max(inFlight.length, unsure.length));
      flush();
      if (isFull) onDropped({ count: 1, reason: 'queue_full' });
    },
    flush,
    waiting: line.size,
    whenSent: line.whenSent,
    close: () => {
      rest.end();
      line.remove(Infinity);
    },
  };
}

/** The fixes that wait, oldest first. */
function createLine(firstSeq: number) {
  let fixes: Waiting[] = [];
  let next = firstSeq;
  const waiters = createWaiters();
  const keep = (kept: Waiting[]): void => {
    fixes = kept;
    waiters.tell(fixes[0]?.seq ?? next);
  };
  return {
    /** Returns whether an older fix had to go: the oldest one after the first `sent`, which the service may have. */
    add: (place: Place, sent: number): boolean => {
      const isFull = fixes.length === MOST_WAITING;
      const later = fixes.slice(isFull ? sent + 1 : sent);
      keep([...fixes.slice(0, sent), ...later, { seq: next, madeAt: thisMoment(), place }]);
      next += 1;
      return isFull;
    },
    size: (): number => fixes.length,
    oldest: (most: number): Waiting[] => fixes.slice(0, most),
    remove: (through: number): void => keep(fixes.filter(({ seq }) => seq > through)),
    whenSent: (): Promise<void> => (fixes.length === 0 ? Promise.resolve() : waiters.wait(next)),
  };
}

/** The places of a batch that will never reach the service; null if there are none. */
function lossOf(verdict: PingVerdict, count: number, isRepeat: boolean): DroppedPlaces | null {
  // A batch that came too soon was dropped whole, and is sent again.
  if ('waitMs' in verdict) return null;
  if ('refused' in verdict) return { count, reason: verdict.refused };
  if (verdict.reason === undefined) return null;
  // The service has the places of a repeat already if only the first answer was lost. Old ones count as `too_old` then.
  if (isRepeat && (verdict.accepted === 0 || verdict.reason === 'out_of_order')) return null;
  return { count: verdict.dropped, reason: verdict.reason };
}

/** A time in which the queue sends nothing. A timer alone decides, since it may fire before a clock shows its time. */
function createRest(then: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  return {
    isOn: (): boolean => timer !== undefined,
    begin: (ms: number): void => {
      if (isOver) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = undefined;
        then();
      }, ms);
    },
    /** Ends the rest for good. No other one begins, since its timer would keep the process alive. */
    end: (): void => {
      isOver = true;
      clearTimeout(timer);
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
