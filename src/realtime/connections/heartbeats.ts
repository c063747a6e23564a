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

/** Stands where Engine.IO has a timer, which it only refreshes, replaces by null and clears. */
type Wait = { refresh(): void };

/** The parts that Engine.IO hides. It has no timer for the next heartbeat if the client sends them, as in protocol 3. */
type Heart = {
  readonly server: { readonly opts: { readonly pingInterval: number; readonly pingTimeout: number } };
  pingIntervalTimer: Wait | NodeJS.Timeout | null;
  pingTimeoutTimer: Wait | null;
  hasRefreshedPingTimeout: boolean;
  sendPacket(type: 'ping'): void;
  onClose(reason: 'ping timeout'): void;
};

/** A connection, and the moment of its next heartbeat or, once that is sent, the moment by which the client must answer. */
type Pulse = { readonly heart: Heart; readonly answer: Wait; moment: Moment | null };

/** `cancel` forgets the moment once it has lost its last connection. */
type Moment = { readonly pulses: Set<Pulse>; readonly cancel: Stop };

/**
 * Sends the heartbeats of many connections at the same moments, and closes those that do not answer. Engine.IO has two timers
 * for each connection. They would wake an idle process once for each heartbeat, and fill its memory.
 */
export class Heartbeats {
  readonly #beats: Moments;
  readonly #answers: Moments;
  #pulses = 0;

  constructor(clock: Pick<Clock, 'real'>) {
    const most = (): number => Math.max(MOST_AT_ONCE, this.#pulses * SHARE_AT_ONCE);
    this.#beats = new Moments(clock, most, (pulses) => {
      for (const pulse of pulses) this.#beat(pulse);
    });
    // After a stall of the process, the answers that have come meanwhile are read before this.
    this.#answers = new Moments(clock, most, (pulses) => void setImmediate(closeAll, pulses));
  }

  /** Sends the heartbeats of this connection, which has just opened, in place of Engine.IO. */
  take(raw: RawConnection): void {
    if (leanSocketOf(raw.request) === null) return;
    const heart = heartOf(raw);
    const timer = heart.pingIntervalTimer;
    if (timer === null) return;
    clearTimeout(timer as NodeJS.Timeout);
    const { opts } = heart.server;
    const pulse: Pulse = {
      heart,
      // Engine.IO calls this when it hears something else from the client before the answer.
      answer: { refresh: () => this.#answers.plan(pulse, opts.pingTimeout) },
      moment: null,
    };
    // Engine.IO calls this when the client has answered.
    const beat = { refresh: () => this.#beats.plan(pulse, opts.pingInterval) };
    heart.pingIntervalTimer = beat;
    this.#pulses += 1;
    beat.refresh();
    raw.once('close', () => {
      this.#pulses -= 1;
      leave(pulse);
      // The client may be closed for the very answer that is read, after which nothing may be planned.
      heart.pingIntervalTimer = null;
    });
  }

  /** Does what Engine.IO does when its timer fires. */
  #beat(pulse: Pulse): void {
    const { heart, answer } = pulse;
    heart.hasRefreshedPingTimeout = false;
    heart.pingTimeoutTimer = answer;
    this.#answers.plan(pulse, heart.server.opts.pingTimeout);
    heart.sendPacket('ping');
  }
}

/** Moments that many connections share. There is a timer only for those at which something happens to one of them. */
class Moments {
  readonly #clock: Pick<Clock, 'real'>;
  readonly #most: () => number;
  readonly #happen: (pulses: ReadonlySet<Pulse>) => void;
  /** The coming moments by their time, which comes from the monotonic clock. */
  readonly #moments = new Map<number, Moment>();

  /** @param most how many connections a moment has room for now */
  constructor(clock: Pick<Clock, 'real'>, most: () => number, happen: (pulses: ReadonlySet<Pulse>) => void) {
    this.#clock = clock;
    this.#most = most;
    this.#happen = happen;
  }

  /** Moves the connection to the first moment with room after this machine time, in ms. */
  plan(pulse: Pulse, ms: number): void {
    leave(pulse);
    let at = Math.ceil((this.#clock.real.elapsed() + ms) / STEP_MS) * STEP_MS;
    const most = this.#most();
    while ((this.#moments.get(at)?.pulses.size ?? 0) >= most) at += DELAY_MS;
    pulse.moment = this.#moments.get(at) ?? this.#open(at);
    pulse.moment.pulses.add(pulse);
  }

  #open(at: number): Moment {
    const pulses = new Set<Pulse>();
    const stop = this.#clock.real.after(at - this.#clock.real.elapsed(), () => {
      this.#moments.delete(at);
      this.#happen(pulses);
    });
    const cancel = (): void => {
      stop();
      this.#moments.delete(at);
    };
    const moment = { pulses, cancel };
    this.#moments.set(at, moment);
    return moment;
  }
}

/** Takes the connection out of its moment. */
function leave(pulse: Pulse): void {
  const { moment } = pulse;
  pulse.moment = null;
  if (moment === null) return;
  moment.pulses.delete(pulse);
  if (moment.pulses.size === 0) moment.cancel();
}

function closeAll(pulses: ReadonlySet<Pulse>): void {
  for (const { heart } of pulses) heart.onClose('ping timeout');
}

/**
 * Does what Engine.IO does when a client answers a heartbeat.
 * @returns false if the client sends the heartbeats itself, as in protocol 3
 */
export function takeAnswer(raw: RawConnection): boolean {
  const heart = heartOf(raw);
  if (heart.pingIntervalTimer === null) return false;
  raw.emit('packet', { type: 'pong' });
  endWait(heart);
  raw.emit('heartbeat');
  return true;
}

function endWait(heart: Heart): void {
  heart.pingTimeoutTimer = null;
  heart.pingIntervalTimer?.refresh();
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
