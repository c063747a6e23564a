import { EventEmitter } from 'node:events';
import type { Socket as TcpSocket } from 'node:net';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Context } from '../../ports/context.ts';
import type { CallerAddress } from '../../ports/process.ts';
import { mostInWindow, WINDOW_MS } from '../meter.ts';
import { NAMESPACES, type PositionsFrame } from '../protocol.ts';
import type { ClientSocket, RawConnection } from '../sockets.ts';
import { createTurns, type Run } from '../../work/turns.ts';
import { ShortWayIn, type EventHandler } from './short-way-in.ts';
import type { Strangers } from './strangers.ts';

type Needs = Pick<Context, 'settings' | 'clock' | 'log' | 'metrics'>;

/**
 * The reasons why the server closes a connection. `unread` says what happens to unread data. It is still `sent`, it is
 * `dropped`, or the TCP connection is `cut` at once.
 */
// One row per line: this is a table.
// oxfmt-ignore
const CLOSES = {
  flood:    { unread: 'cut',     isLogged: true },  // too many packets or messages, or garbage
  refused:  { unread: 'dropped', isLogged: true },  // too many refused handshakes
  unread:   { unread: 'cut',     isLogged: true },  // too much that the client has not read
  newer:    { unread: 'dropped', isLogged: false }, // the courier has a newer connection
  replaced: { unread: 'sent',    isLogged: false }, // the courier has logged in on another phone
  ended:    { unread: 'dropped', isLogged: false }, // the session, key, token or link has ended
  failed:   { unread: 'sent',    isLogged: false }, // the server could not send what the client must receive
  drain:    { unread: 'sent',    isLogged: false }, // the server stops
} as const;

export type CloseReason = keyof typeof CLOSES;

/** Refusals that do not count against an address. */
const EXCUSED: ReadonlySet<string> = new Set(['token_expired', 'busy', 'internal_error']);
/** Packets in one window before the client has joined: handshakes and the answers to heartbeats. */
const MOST_BEFORE_JOINING = 20;
/** Handshakes of one connection, successful ones included, because each one costs a replay. */
const MOST_HANDSHAKES = 20;
/** The server sends the next past events when less than this share of the allowed data is unread. */
const READ_SHARE = 0.25;
const LOOK_MS = 20;
/** Machine time in which the client must have read that much. */
const READ_WITHIN_MS = 30_000;

/** The WebSocket below the packets. It answers pings by itself, and Engine.IO never sees them. */
function framesOf(request: object): EventEmitter {
  if ('websocket' in request && request.websocket instanceof EventEmitter) return request.websocket;
  throw new Error('a connection is not a WebSocket');
}

/**
 * The connection of one client with its limits. It counts packets, pings and pongs before they reach Socket.IO or the
 * database.
 */
export class Connection {
  readonly from: CallerAddress;
  readonly #ctx: Needs;
  readonly #raw: RawConnection;
  readonly #tcp: TcpSocket;
  readonly #strangers: Strangers;
  readonly #turns: Run = createTurns(1, NAMESPACES.length - 1);
  #standing: 'stranger' | 'excused' | 'known' = 'stranger';
  #packets = 0;
  #windowFrom: number;
  readonly #joined = new Set<string>();
  readonly #wayIn: ShortWayIn | null;
  #handshakes = 0;
  #refused = 0;
  /** Bytes of packets that the transport has not accepted yet. It accepts all of them at once. */
  #queued = 0;

  constructor(ctx: Needs, raw: RawConnection, from: CallerAddress, strangers: Strangers) {
    this.from = from;
    this.#ctx = ctx;
    this.#raw = raw;
    this.#tcp = raw.request.socket;
    this.#strangers = strangers;
    this.#windowFrom = ctx.clock.real.elapsed();
    strangers.come(from.network);
    raw.on('packet', () => this.#count());
    this.#wayIn = ShortWayIn.open(raw);
    const frames = framesOf(raw.request);
    for (const name of ['ping', 'pong']) frames.on(name, () => this.#count());
    raw.on('packetCreate', ({ data }: { data?: string | Buffer }) => this.#queue(data?.length ?? 0));
    raw.on('flush', () => (this.#queued = 0));
    raw.once('close', () => this.#end());
  }

  get isOpen(): boolean {
    return this.#raw.readyState === 'open';
  }

  /** Calls the listener once, when the connection is closed. */
  onClose(listener: () => void): void {
    this.#raw.once('close', listener);
  }

  /**
   * Runs a handshake for this namespace after the earlier ones. After five refusals the connection is closed. Refuses
   * `too_many_requests` after too many handshakes, and `forbidden` if the client has already joined the namespace.
   */
  async handshake(namespace: string, admit: () => Promise<void>): Promise<void> {
    try {
      this.#handshakes += 1;
      if (this.#handshakes > MOST_HANDSHAKES) throw new Refusal('too_many_requests');
      await this.#turns(async () => {
        if (!this.isOpen) throw new Refusal('busy');
        if (this.#joined.has(namespace)) {
          throw new Refusal('forbidden', { detail: 'The connection has already joined this namespace.' });
        }
        await admit();
        // This must happen before the next handshake runs, which may be for the same namespace.
        this.#joined.add(namespace);
      });
      this.#stand('known');
    } catch (error) {
      this.refuse(error);
      throw error;
    }
  }

  /**
   * Makes a socket that has just joined leave again if the connection has closed meanwhile. Socket.IO forgets the sockets of
   * a connection that closes, but not one that joins in the same moment.
   */
  leaveIfClosed(socket: ClientSocket): void {
    process.nextTick(() => {
      if (!this.isOpen) socket.disconnect();
    });
  }

  /** Records that the client has left this namespace. The connection stays open. */
  leave(namespace: string): void {
    this.#joined.delete(namespace);
    this.#wayIn?.remove(namespace);
  }

  /** Gives the client’s events in this namespace to the handler until the client leaves it. Socket.IO gives it the others. */
  setHandler(handler: EventHandler): void {
    this.#wayIn?.add(handler);
  }

  /** Sends positions to a client, which acknowledges them. */
  sendPositions(socket: ClientSocket, frame: PositionsFrame, onAck: () => void): void {
    const isSent = this.#wayIn?.send(socket.nsp.name, 'positions', frame, onAck) ?? false;
    if (!isSent) socket.emit('positions', frame, onAck);
  }

  /** Counts a refused handshake. An expired token and a failure of the server do not count against the client. */
  refuse(error: unknown): void {
    if (!this.isOpen) return;
    const code = error instanceof Refusal ? error.code : 'internal_error';
    this.#ctx.metrics.count('socket_handshakes_refused_total', { code });
    if (EXCUSED.has(code)) this.#stand('excused');
    else this.#strangers.fail(this.from.network);
    this.#refused += 1;
    if (this.#refused < this.#ctx.settings.sockets.refusalsPerConnection) return;
    // The refusal must be sent first.
    this.#ctx.clock.real.after(0, () => this.close('refused'));
  }

  /** Closes the connection and counts the reason. It does not leave the namespaces, so that the client reconnects. */
  close(reason: CloseReason): void {
    const { unread, isLogged } = CLOSES[reason];
    if (this.isOpen) {
      this.#ctx.metrics.count('sockets_closed_total', { reason });
      if (isLogged) this.#ctx.log.warn({ address: this.from.address, reason }, 'a socket was closed');
    }
    this.#raw.close(unread !== 'sent');
    if (unread === 'cut') this.#tcp.destroy();
  }

  /** Closes the connection of a client that must stay away. It leaves the namespace first, so that it does not reconnect. */
  dismiss(socket: ClientSocket): void {
    socket.disconnect();
    this.close('replaced');
  }

  /** Resolves when the client has read most of the data. Refuses `busy` if the client leaves or does not read. */
  async whenRead(): Promise<void> {
    const { clock, settings } = this.#ctx;
    const until = clock.real.elapsed() + READ_WITHIN_MS;
    for (;;) {
      // The server reads nothing for a client that has left.
      if (!this.isOpen) throw new Refusal('busy');
      if (this.#unread() <= READ_SHARE * settings.sockets.mostUnreadBytes) return;
      if (clock.real.elapsed() > until) this.close('unread');
      await clock.real.sleep(LOOK_MS);
    }
  }

  #unread(): number {
    return this.#queued + this.#tcp.writableLength;
  }

  /** Counts a packet. One send may exceed the limit, so the check concerns only the data that was unread before. */
  #queue(bytes: number): void {
    if (this.#unread() > this.#ctx.settings.sockets.mostUnreadBytes) this.close('unread');
    else this.#queued += bytes;
  }

  #count(): void {
    const { clock, settings } = this.#ctx;
    const now = clock.real.elapsed();
    if (now - this.#windowFrom >= WINDOW_MS) {
      this.#windowFrom = now;
      this.#packets = 0;
    }
    this.#packets += 1;
    const most = this.#standing === 'known' ? mostInWindow(settings, clock.scale) : MOST_BEFORE_JOINING;
    if (this.#packets > most) this.close('flood');
  }

  #stand(standing: 'excused' | 'known'): void {
    // A closed connection has been counted already.
    if (!this.isOpen) return;
    if (this.#standing === 'stranger') this.#strangers.go(this.from.network);
    if (this.#standing !== 'known') this.#standing = standing;
  }

  #end(): void {
    if (this.#standing !== 'stranger') return;
    this.#strangers.go(this.from.network);
    if (this.#refused === 0) this.#strangers.fail(this.from.network);
  }
}
