import type { Clock } from '../../ports/process.ts';
import { DueTimes } from '../../work/sets/due-times.ts';
import type { ClientSocket, SocketCaller } from '../sockets.ts';

/** How long a connection outlives its token without `auth`, ms. */
const GRACE_MS = 30_000;

/** When connections must be closed because their token or tracking link has ended. */
export class TokenEnds {
  readonly #clock: Clock;
  /** Tokens live in machine time, tracking links in service time. */
  readonly #tokens: DueTimes<ClientSocket>;
  readonly #links: DueTimes<ClientSocket>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#tokens = new DueTimes(clock.real.now());
    this.#links = new DueTimes(clock.now());
  }

  /** Watches a connection that has just joined until it is closed. */
  watch(socket: ClientSocket): void {
    this.#plan(socket);
    socket.once('disconnect', () => this.#timesOf(socket).set(socket, null));
  }

  /** Gives a connection the same caller with another end. */
  move(socket: ClientSocket, caller: SocketCaller): void {
    socket.data.caller = caller;
    // The client may have left while the new end was read.
    if (socket.connected) this.#plan(socket);
  }

  /** Returns the connections whose token or link ended so long ago that they must be closed, each of them once. */
  take(): ClientSocket[] {
    return [...this.#tokens.take(this.#clock.real.now()), ...this.#links.take(this.#clock.now())];
  }

  #plan(socket: ClientSocket): void {
    const { expiresAt } = socket.data.caller;
    this.#timesOf(socket).set(socket, expiresAt === null ? null : expiresAt + GRACE_MS);
  }

  #timesOf({ data }: ClientSocket): DueTimes<ClientSocket> {
    return data.caller.type === 'recipient' ? this.#links : this.#tokens;
  }
}
