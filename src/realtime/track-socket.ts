import { linkEndsAt } from '../domain/link.ts';
import { isTerminal } from '../domain/lifecycle.ts';
import type { DeliveryId } from '../domain/ids.ts';
import type { Context } from '../ports.ts';
import { guardDoor } from './auth.ts';
import { listen } from './handle.ts';
import { COMMAND_PACE } from './meter.ts';
import type { Parts } from './parts.ts';
import { readerMessages } from './reader-messages.ts';
import { deliveryRoom } from './rooms.ts';
import { forgetHandshake, socketsIn, type ClientSocket, type SocketServer } from './sockets.ts';

/** The recipients' namespace: one delivery, read only, and its courier from pickup to the end. */
export function startTrack(ctx: Context, io: SocketServer, { replay, relay, holds, feed }: Parts): void {
  const nsp = io.of('/track');
  const messages = new Map(readerMessages<{ socket: ClientSocket }>(ctx, '/track', replay));
  guardDoor(ctx, io, '/track');
  nsp.on('connection', (socket) => {
    const { caller } = socket.data;
    if (caller.type !== 'recipient') return;
    const { deliveryId } = caller;
    listen(ctx, socket, { socket }, messages, () => COMMAND_PACE);
    socket.on('disconnect', () => {
      holds.drop(socket);
      feed.leave(socket);
    });
    forgetHandshake(socket);
    const room = deliveryRoom(deliveryId);
    void socket.join(room);
    void feed.follow(socket, room);
    void replay.enter(socket, async () => [deliveryId]);
  });
  relay.onEvent(({ delivery_id: deliveryId, data }) => {
    const sockets = socketsIn(nsp, deliveryRoom(deliveryId));
    if (sockets.length === 0) return;
    // Its events carry no arrival times: the page's state comes after each as a snapshot.
    for (const socket of sockets) void replay.show(socket, deliveryId);
    if (isTerminal(data.to)) void shortenLinks(ctx, sockets, deliveryId);
  });
}

/** A link lives shorter once its delivery has ended; connections opened before must end with it. */
async function shortenLinks(ctx: Context, sockets: readonly ClientSocket[], deliveryId: DeliveryId): Promise<void> {
  try {
    const expiresAt = linkEndsAt(await ctx.deliveries.get(deliveryId), ctx.settings.tracking);
    for (const { data } of sockets) {
      if (data.caller.type === 'recipient') data.caller = { ...data.caller, expiresAt };
    }
  } catch (error) {
    // The end that was known on joining holds; the next joining reads it again.
    ctx.log.warn({ error: String(error), deliveryId }, 'the end of a tracking link could not be read');
  }
}
