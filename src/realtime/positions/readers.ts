import type { Context } from '../../ports/context.ts';
import type { Connection } from '../connections/connection.ts';
import type { Connections } from '../connections/connections.ts';
import type { PositionItem } from '../protocol.ts';
import type { ClientSocket } from '../sockets.ts';
import { putIn, takeOut } from '../../work/sets/sets-by-key.ts';

/** A connection that receives positions. */
export type Reader = {
  readonly socket: ClientSocket;
  readonly connection: Connection;
  readonly rooms: readonly string[];
  /** Puts the current positions that it may see into the slots. */
  readonly present: (reader: Reader) => Promise<void>;
  /** The newest item of each courier or delivery that has not been sent. */
  readonly slots: Map<string, PositionItem>;
  readonly pacing: Pacing;
};

/** The pacing of a connection. It stays the same if the rooms change, because a frame may be in flight. */
type Pacing = {
  /** Machine time of the frame in flight; null if all frames are acknowledged. */
  sentAt: number | null;
  /** Whether the client has not acknowledged for so long that the server no longer collects positions for it. */
  isStale: boolean;
  /** Whether current positions are being read; `again` if the rooms have changed meanwhile. */
  filling: 'no' | 'once' | 'again';
};

type Needs = Pick<Context, 'clock' | 'settings' | 'log'>;

const NOBODY: ReadonlySet<Reader> = new Set();

/**
 * The readers of positions, each at its own pace: the next frame is sent only after the last one was acknowledged. A
 * slow reader receives the newest position of each courier and never a queue.
 */
export class Readers {
  readonly #ctx: Needs;
  readonly #connections: Connections;
  readonly #bySocket = new Map<ClientSocket, Reader>();
  readonly #byRoom = new Map<string, Set<Reader>>();
  #frames = 0;

  constructor(ctx: Needs, connections: Connections) {
    this.#ctx = ctx;
    this.#connections = connections;
  }

  get size(): number {
    return this.#bySocket.size;
  }

  in(room: string): ReadonlySet<Reader> {
    return this.#byRoom.get(room) ?? NOBODY;
  }

  /** Replaces the rooms of the connection and sends the current positions that it may see. */
  async enter(socket: ClientSocket, rooms: readonly string[], present: Reader['present']): Promise<void> {
    const before = this.#bySocket.get(socket);
    if (before !== undefined) this.#remove(before);
    const pacing = before?.pacing ?? { sentAt: null, isStale: false, filling: 'no' };
    const connection = this.#connections.connectionOf(socket);
    const reader: Reader = { socket, connection, rooms, present, slots: new Map(), pacing };
    this.#bySocket.set(socket, reader);
    for (const room of rooms) putIn(this.#byRoom, room, reader);
    await this.#refill(reader);
  }

  leave(socket: ClientSocket): void {
    const reader = this.#bySocket.get(socket);
    if (reader !== undefined) this.#remove(reader);
  }

  /** Sends the waiting positions, unless a frame is in flight. */
  flush(reader: Reader): void {
    const { pacing, slots, socket, connection } = reader;
    if (pacing.sentAt !== null || slots.size === 0) return;
    const items = [...slots.values()];
    slots.clear();
    pacing.sentAt = this.#ctx.clock.real.elapsed();
    this.#frames += 1;
    const frame = { at: this.#ctx.clock.now(), items };
    connection.sendPositions(socket, frame, () => this.#acknowledge(reader));
  }

  /** Marks readers that do not acknowledge. They receive the current positions when they do. */
  sweep(): void {
    const before = this.#ctx.clock.real.elapsed() - this.#ctx.settings.positions.ackRealMs;
    for (const { pacing, slots } of this.#bySocket.values()) {
      if (pacing.sentAt === null || pacing.sentAt > before) continue;
      pacing.isStale = true;
      slots.clear();
    }
  }

  stats(): { readers: number; stale: number; frames: number } {
    const stale = [...this.#bySocket.values()].filter(({ pacing }) => pacing.isStale).length;
    return { readers: this.#bySocket.size, stale, frames: this.#frames };
  }

  #acknowledge({ pacing, socket }: Reader): void {
    pacing.sentAt = null;
    const current = this.#bySocket.get(socket);
    if (current === undefined) return;
    if (pacing.isStale) void this.#refill(current);
    else this.flush(current);
  }

  /** Reads the current positions, once at a time for each connection. If the rooms change meanwhile, it reads again. */
  async #refill({ socket, pacing }: Reader): Promise<void> {
    pacing.isStale = false;
    const isUnderWay = pacing.filling !== 'no';
    pacing.filling = isUnderWay ? 'again' : 'once';
    if (isUnderWay) return;
    let current = this.#bySocket.get(socket);
    do {
      pacing.filling = 'once';
      await this.#fill(current);
      current = this.#bySocket.get(socket);
    } while (isAsked(pacing));
    pacing.filling = 'no';
    if (current !== undefined) this.flush(current);
  }

  async #fill(reader: Reader | undefined): Promise<void> {
    try {
      await reader?.present(reader);
    } catch (error) {
      // The next batch brings all couriers who move.
      this.#ctx.log.warn({ error }, 'current positions could not be read');
    }
  }

  #remove(reader: Reader): void {
    this.#bySocket.delete(reader.socket);
    for (const room of reader.rooms) takeOut(this.#byRoom, room, reader);
  }
}

function isAsked({ filling }: Pacing): boolean {
  return filling === 'again';
}
