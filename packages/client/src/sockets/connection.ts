import type { Socket } from 'socket.io-client';
import type { Problem } from '../generated/types.ts';
import { backoffMs, HURRY_MS, LATE_MS, type Backoff } from '../pause.ts';
import { isProblem } from '../problems.ts';
import { isRecord } from '../records.ts';
import { within } from './heard.ts';
import { openSocket } from './open-socket.ts';

/** `joining` until the first connection, then `live` or `lost`. `closed` is the end. */
export type ConnectionState = 'joining' | 'live' | 'lost' | 'closed';

export type ConnectionOptions = {
  /** The address of the service. With several, a lost connection goes on to the next. */
  readonly baseUrl: string | readonly string[];
  readonly namespace: '/courier' | '/vendor' | '/track' | '/admin';
  /** Called for every handshake, so that it names the newest token and marks. */
  readonly auth: () => Promise<object>;
  /** `auth` has failed. The connection tries again unless the answer is false. */
  readonly onAuthFailed?: (error: unknown) => boolean;
  /** Adds the listeners. Called for every new socket, before it connects. */
  readonly listen: (socket: Socket) => void;
  /** The service refused the handshake. The connection tries again if the answer is true. */
  readonly onRefused?: (problem: Problem) => boolean;
  /** The service has ended the connection for good, because its user has logged in elsewhere. It is closed. Without it, the connection comes back. */
  readonly onReplaced?: (() => void) | undefined;
  readonly onState?: ((state: ConnectionState) => void) | undefined;
  /** By default 0.5 s, then twice as long each time, up to 30 s, with a random part. The first wait after a doubt is up to 4 s. */
  readonly backoff?: Backoff | undefined;
};

export type Connection = {
  /** The live socket, or null while there is no connection. */
  socket(): Socket | null;
  /** The live socket or the next one, which then begins within 4 s. Null if the connection is closed. */
  whenLive(): Promise<Socket | null>;
  /** Begins the next connection within 4 s, as when the network is back. An open one that is silent for 4 s is replaced. */
  hurry(): void;
  /** Waits for an answer. While it is late, asks for a sign of life as `hurry` does. The spread is 0 if a person waits. */
  watch<T>(answer: Promise<T>, spread?: number): Promise<T>;
  /** The number of connections after the first one. */
  reconnects(): number;
  /**
   * A message that was sent at this moment of `performance.now()` has no answer. If the service has sent nothing at all
   * since then, the connection is dead, although it is still open, and the next one follows.
   */
  doubt(sentAt: number): void;
  close(): void;
};

const BACKOFF: Backoff = { firstMs: 500, mostMs: 30_000 };
/** A service that stalled is in doubt with all its clients at once. They come back within 4 s, not within a quarter of one. */
const DOUBT_SPREAD = 7;
/** The longest wait for the answer to a handshake, ms: as long as a message may be late and its sign of life may take. */
const HANDSHAKE_MS = LATE_MS + HURRY_MS;
/** The shortest time between two questions for a sign of life, ms. */
const CHECK_MS = 1000;
/** The time in which clients leave a server that stops and does not say how long it stays, and the longest one, ms. */
const [DRAIN_MS, MOST_DRAIN_MS] = [10_000, 600_000];
/** The reason of Socket.IO if the service makes a client leave the namespace. It does so to couriers alone. */
const REPLACED = 'io server disconnect';
/** A connection that is heard for this long was sound, so the next wait is short again. */
const SOUND_MS = 10_000;

/** Connects, and connects again if the connection is lost, until it is closed. */
export function keepConnected(options: ConnectionOptions): Connection {
  const keeper = new Keeper(options);
  keeper.connect();
  return keeper;
}

class Keeper implements Connection {
  readonly #options: ConnectionOptions;
  readonly #addresses: readonly string[];
  #turn: number;
  #live: Socket | null = null;
  #current: Socket | null = null;
  #liveSince = 0;
  #heardAt = 0;
  #connects = 0;
  #tries = 0;
  #isClosed = false;
  /** Leads to the next connection: from none at all, from a handshake without an answer, or from a server that stops. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the next connection begins, as `performance.now()` counts; infinite while one is open or opens, and after the end. */
  #connectsAt = Infinity;
  readonly #waiting: ((socket: Socket | null) => void)[] = [];
  #checkedAt = -Infinity;
  /** The spread of the one in the greatest hurry among those who wait for the sign of life that was asked for last. */
  #spread = DOUBT_SPREAD;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#addresses = [options.baseUrl].flat();
    this.#turn = Math.floor(Math.random() * this.#addresses.length);
    options.onState?.('joining');
  }

  socket(): Socket | null {
    return this.#live;
  }

  whenLive(): Promise<Socket | null> {
    if (this.#live !== null || this.#isClosed) return Promise.resolve(this.#live);
    this.#connectSoon();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  hurry(): void {
    // A connection that opens at this moment may still fail, since a network needs some time to come back.
    this.#tries = 0;
    this.#connectSoon();
    this.#check(0);
  }

  watch<T>(answer: Promise<T>, spread = DOUBT_SPREAD): Promise<T> {
    const questions = setInterval(() => this.#check(spread), LATE_MS);
    return answer.finally(() => clearInterval(questions));
  }

  reconnects(): number {
    return Math.max(0, this.#connects - 1);
  }

  doubt(sentAt: number): void {
    if (this.#live !== null && this.#heardAt < sentAt) this.#comeBack(DOUBT_SPREAD);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#connectsAt = Infinity;
    this.#leave();
    this.#settle(null);
    this.#options.onState?.('closed');
  }

  connect(): void {
    this.#connectsAt = Infinity;
    const address = this.#addresses[this.#turn % this.#addresses.length] ?? '';
    const socket = openSocket(address, this.#options.namespace, (send) => {
      this.#options.auth().then(
        (data) => {
          send(data);
          this.#expectAnswer(socket);
        },
        (error: unknown) => this.#failAuth(socket, error),
      );
    });
    this.#current = socket;
    socket.on('connect', () => {
      clearTimeout(this.#timer);
      this.#live = socket;
      this.#liveSince = performance.now();
      this.#heardAt = this.#liveSince;
      socket.io.engine.on('packet', () => {
        if (socket === this.#live) this.#heardAt = performance.now();
      });
      this.#connects += 1;
      this.#options.onState?.('live');
      this.#settle(socket);
    });
    socket.on('disconnect', (reason) => {
      const { onReplaced } = this.#options;
      if (reason !== REPLACED || onReplaced === undefined) return this.#comeBack();
      this.close();
      onReplaced();
    });
    socket.on('connect_error', (error: Error & { data?: unknown }) => {
      if (isProblem(error.data) && this.#options.onRefused?.(error.data) === false) this.close();
      else this.#comeBack();
    });
    // The server is about to stop. Its clients leave at different moments.
    socket.once('drain', (drain: unknown) => {
      const withinMs = within(isRecord(drain) ? drain['within_ms'] : null, 0, MOST_DRAIN_MS, DRAIN_MS);
      this.#timer = setTimeout(() => socket.disconnect(), Math.random() * withinMs);
    });
    this.#options.listen(socket);
    socket.connect();
  }

  /** A handshake without an answer is a message without one. Otherwise the connection would be dead until a heartbeat is missed. */
  #expectAnswer(socket: Socket): void {
    if (this.#isClosed || socket !== this.#current) return;
    this.#timer = setTimeout(() => this.#comeBack(DOUBT_SPREAD), HANDSHAKE_MS);
  }

  #failAuth(socket: Socket, error: unknown): void {
    if (this.#isClosed) return;
    if (this.#options.onAuthFailed?.(error) === false) this.close();
    // Sockets that were lost meanwhile have waited for the same login, and another one has followed them.
    else if (socket === this.#current) this.#comeBack();
  }

  /** @param spread the longest random part of the wait, in first waits, beside that of the backoff */
  #comeBack(spread = 0): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    const wasLive = this.#live !== null;
    if (wasLive && this.#heardAt - this.#liveSince > SOUND_MS) this.#tries = 0;
    this.#leave();
    this.#turn += 1;
    this.#tries += 1;
    const { backoff = BACKOFF } = this.#options;
    this.#connectIn(backoffMs(backoff, this.#tries) + Math.random() * spread * backoff.firstMs);
    if (wasLive) this.#options.onState?.('lost');
  }

  #check(spread: number): void {
    if (this.#checkedAt === Infinity) this.#spread = Math.min(this.#spread, spread);
    // The service takes many questions for a flood.
    if (this.#live === null || performance.now() - this.#checkedAt < CHECK_MS) return;
    this.#spread = spread;
    void this.#ask(this.#live);
  }

  /** A network that changes closes no connection, so an open one may be dead for as long as a heartbeat. */
  async #ask(socket: Socket): Promise<void> {
    const askedAt = performance.now();
    this.#checkedAt = Infinity;
    // The service does not know this message, but its refusal comes at once, whatever else it waits for.
    const asked: Promise<unknown> = socket.timeout(HURRY_MS).emitWithAck('hello');
    await asked.catch(() => null);
    this.#checkedAt = askedAt;
    if (socket === this.#live && this.#heardAt < askedAt) this.#comeBack(this.#spread);
  }

  #connectSoon(): void {
    const leftMs = this.#connectsAt - performance.now();
    if (leftMs > HURRY_MS && leftMs < Infinity) this.#connectIn(Math.random() * HURRY_MS);
  }

  #connectIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#connectsAt = performance.now() + ms;
    this.#timer = setTimeout(() => this.connect(), ms);
  }

  #leave(): void {
    const left = this.#current;
    this.#live = null;
    this.#current = null;
    left?.removeAllListeners();
    left?.disconnect();
  }

  #settle(socket: Socket | null): void {
    for (const resolve of this.#waiting.splice(0)) resolve(socket);
  }
}
