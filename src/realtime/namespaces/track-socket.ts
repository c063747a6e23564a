import { linkEndsAt } from '../../domain/views/link.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { isTerminal } from '../../domain/deliveries/lifecycle.ts';
import type { DeliveryId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import { guardNamespace } from '../connections/auth.ts';
import type { Connections } from '../connections/connections.ts';
import { listen } from '../handle.ts';
import { pagePaceOf } from '../meter.ts';
import type { Parts } from './parts.ts';
import { readerMessages } from './reader-messages.ts';
import { recipientRoom } from '../relay/rooms.ts';
import { forgetHandshake, socketsIn, type ClientSocket, type SocketServer } from '../sockets.ts';

/** The recipients' namespace: one drop-off, read-only, and the position of the courier while it is next. */
export function startTrack(ctx: Context, io: SocketServer, parts: Parts): void {
  const { connections, replay, relay, holds, feed } = parts;
  const nsp = io.of('/track');
  const messages = new Map(readerMessages<{ socket: ClientSocket }>(ctx, '/track', parts));
  guardNamespace(ctx, io, '/track', connections);
  nsp.on('connection', (socket) => {
    const { caller } = socket.data;
    if (caller.type !== 'recipient') return;
    const { deliveryId, stop } = caller;
    listen(ctx, connections, socket, { socket }, messages, pagePaceOf);
    socket.on('disconnect', () => {
      holds.drop(socket);
      feed.leave(socket);
    });
    forgetHandshake(socket);
    const room = recipientRoom(deliveryId, stop);
    void socket.join(room);
    void feed.follow(socket, room);
    void replay.enter(socket, async () => [deliveryId]);
  });
  relay.onChange(({ event, missed, route: { deliveryId, dropOffs } }) => {
    const stops = Array.from({ length: dropOffs }, (_, index) => index + 1);
    const sockets = stops.flatMap((stop) => socketsIn(nsp, recipientRoom(deliveryId, stop)));
    if (sockets.length === 0) return;
    // Events for recipients do not contain arrival times, so each is followed by a snapshot of the page's state.
    for (const socket of sockets) void replay.show(socket, deliveryId);
    if (missed !== null) shortenLinks(ctx, connections, sockets, missed);
    else if (isTerminal(event.data.to) || (event.data.stop ?? 0) > 0) {
      void readAndShorten(ctx, connections, sockets, deliveryId);
    }
  });
}

async function readAndShorten(
  ctx: Context,
  connections: Connections,
  sockets: readonly ClientSocket[],
  deliveryId: DeliveryId,
): Promise<void> {
  try {
    shortenLinks(ctx, connections, sockets, await ctx.deliveries.get(deliveryId));
  } catch (error) {
    // The known end stays valid. The next join reads it again.
    ctx.log.warn({ error, deliveryId }, 'the end of a tracking link could not be read');
  }
}

/** Shortens the life of open connections when a stop ends, because its link then expires earlier. */
function shortenLinks(
  { settings }: Pick<Context, 'settings'>,
  { ends }: Connections,
  sockets: readonly ClientSocket[],
  delivery: Delivery,
): void {
  for (const socket of sockets) {
    const { caller } = socket.data;
    if (caller.type !== 'recipient') continue;
    ends.move(socket, { ...caller, expiresAt: linkEndsAt(delivery, caller.stop, settings.tracking) });
  }
}
