import type { Clock, Stop } from '../../ports/process.ts';
import type { RawConnection } from '../sockets.ts';
import { leanSocketOf } from './lean-websocket.ts';

/** How far apart the moments are at which heartbeats are sent, machine time. */
const STEP_MS = 250;
/** Heartbeats of one moment that take about a millisecond, in which the process does nothing else. */
const MOST_AT_ONCE = 100;
/** Above 50,000 connections, a moment has this share of them, so that all fit into an interval. */
const SHARE_AT_ONCE = 0.002;
/** How much later the heartbeats are sent for which a moment has no room, machine time. */
const DELAY_MS = 10;

/** The parts that Engine.IO hides. It has no timer for the next heartbeat if the client sends them, as in protocol 3. */
type Heart = {
  readonly server: { readonly opts: { readonly pingInterval: number } };
  readonly pingIntervalTimer: NodeJS.Timeout | null;
  readonly pingTimeoutTimer: NodeJS.Timeout | null;
  hasRefreshedPingTimeout: boolean;
  sendPacket(type: 'ping'): void;
  resetPingTimeout(): void;
};

/** The connections whose heartbeats are sent at one moment. `cancel` stops its timer. */
type Moment = { readonly hearts: Set<Heart>; readonly cancel: Stop };

/**
 * Sends the heartbeats of many connections at the same moments. Engine.IO has a timer for each connection, which wakes an
 * idle process once for each heartbeat. The timers that wait for the answers stay with Engine.IO, because they rarely fire.
 */
export class Heartbeats {
  readonly #clock: Pick<Clock, 'real'>;
  /** The coming moments by their time, which comes from the monotonic clock. */
  readonly #moments = new Map<number, Moment>();
  #hearts = 0;

  constructor(clock: Pick<Clock, 'real'>) {
    this.#clock = clock;
  }

  /** Sends the heartbeats of this connection, which has just opened, in place of Engine.IO. */
  take(raw: RawConnection): void {
    if (leanSocketOf(raw.request) === null) return;
    const heart = heartOf(raw);
    const timer = heart.pingIntervalTimer;
    if (timer === null) return;
    clearTimeout(timer);
    this.#hearts += 1;
    let leave = this.#join(heart);
    // Engine.IO calls this when the client has answered.
    timer.refresh = () => {
      leave();
      leave = this.#join(heart);
      return timer;
    };
    raw.once('close', () => {
      this.#hearts -= 1;
      leave();
    });
  }

  /** Plans the next heartbeat for the first moment with room after the interval. Returns the function that cancels it. */
  #join(heart: Heart): Stop {
    const dueAt = this.#clock.real.elapsed() + heart.server.opts.pingInterval;
    let at = Math.ceil(dueAt / STEP_MS) * STEP_MS;
    const most = Math.max(MOST_AT_ONCE, this.#hearts * SHARE_AT_ONCE);
    while (this.#sizeAt(at) >= most) at += DELAY_MS;
    const moment = this.#moments.get(at) ?? this.#open(at);
    moment.hearts.add(heart);
    return () => {
      if (!moment.hearts.delete(heart) || moment.hearts.size > 0) return;
      moment.cancel();
      this.#moments.delete(at);
    };
  }

  #sizeAt(at: number): number {
    return this.#moments.get(at)?.hearts.size ?? 0;
  }

  #open(at: number): Moment {
    const hearts = new Set<Heart>();
    const cancel = this.#clock.real.after(at - this.#clock.real.elapsed(), () => {
      this.#moments.delete(at);
      for (const heart of hearts) beat(heart);
    });
    const moment = { hearts, cancel };
    this.#moments.set(at, moment);
    return moment;
  }
}

/** Does what Engine.IO does when its timer fires. */
function beat(heart: Heart): void {
  heart.hasRefreshedPingTimeout = false;
  heart.sendPacket('ping');
  heart.resetPingTimeout();
}

/** Gives a client whose answer to a heartbeat is due more time, once, as Engine.IO does when a packet of another type comes. */
export function extendWait(raw: RawConnection): void {
  const heart = heartOf(raw);
  if (heart.pingTimeoutTimer === null || heart.hasRefreshedPingTimeout) return;
  heart.pingTimeoutTimer.refresh();
  heart.hasRefreshedPingTimeout = true;
}

/** The compiler sees the hidden parts only if it does not know what the object is. */
function heartOf(raw: object): Heart {
  return raw as Heart;
}
