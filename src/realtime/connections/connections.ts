import type { IncomingMessage } from 'node:http';
import type { Context } from '../../ports/context.ts';
import type { RawConnection, SocketServer } from '../sockets.ts';
import { Connection, type CloseReason } from './connection.ts';
import { Heartbeats } from './heartbeats.ts';
import { Holders } from './holders.ts';
import { openShortWayOut } from './short-way-out.ts';
import { Strangers } from './strangers.ts';
import { TokenEnds } from './token-ends.ts';

type Needs = Pick<Context, 'settings' | 'clock' | 'log' | 'metrics' | 'addressOf'>;

/** The connections of this process: decides which clients may connect, and limits each connection. */
export class Connections {
  /** Whether the server accepts connections: not before it is ready, and not while it drains. */
  isOpen = false;
  readonly holders: Holders;
  readonly ends: TokenEnds;
  readonly #ctx: Needs;
  readonly #strangers: Strangers;
  readonly #connections = new WeakMap<RawConnection, Connection>();

  constructor(ctx: Needs) {
    const { settings, clock } = ctx;
    this.#ctx = ctx;
    this.holders = new Holders(settings.sockets, clock);
    this.ends = new TokenEnds(clock);
    this.#strangers = new Strangers(settings.sockets.strangersPerAddress, clock);
  }

  /** Says whether a client may connect while this many connections are open. */
  mayEnter(request: IncomingMessage, openConnections: number): boolean {
    const { addressOf, log, metrics, settings } = this.#ctx;
    if (!this.isOpen || openConnections >= settings.sockets.mostPerProcess) return false;
    const { address, network } = addressOf(request);
    if (this.#strangers.mayCome(network)) return true;
    metrics.count('sockets_turned_away_total', {});
    log.warn(
      { address, forwarded: request.headers['x-forwarded-for'] !== undefined },
      'an address has too many connections that did not authenticate; if it is a proxy, name it in HTTP_TRUSTED_PROXIES',
    );
    return false;
  }

  /** Limits every connection from its first packet, and keeps it on its WebSocket. */
  watch(io: SocketServer): void {
    io.engine.use(refuseMoves);
    const heartbeats = new Heartbeats(this.#ctx.clock);
    io.engine.on('connection', (raw: RawConnection) => {
      openShortWayOut(raw);
      heartbeats.take(raw);
      const from = this.#ctx.addressOf(raw.request);
      this.#connections.set(raw, new Connection(this.#ctx, raw, from, this.#strangers));
    });
  }

  connectionOf({ conn }: { readonly conn: RawConnection }): Connection {
    const connection = this.#connections.get(conn);
    if (connection === undefined) throw new Error('a connection was not watched');
    return connection;
  }

  /** Closes the connection of this socket, and thereby its sockets in all namespaces. */
  close(socket: { readonly conn: RawConnection }, reason: CloseReason): void {
    this.connectionOf(socket).close(reason);
  }
}

/**
 * Refuses a request with a `sid`. Engine.IO would move that connection to the new WebSocket, which the limits do not watch.
 * Clients that use only WebSockets never ask for this.
 */
function refuseMoves({ url = '' }: IncomingMessage, _response: unknown, next: (error?: Error) => void): void {
  const isMove = new URL(url, 'http://localhost').searchParams.has('sid');
  if (isMove) next(new Error('a connection does not move'));
  else next();
}
