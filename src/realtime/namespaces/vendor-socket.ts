import type { Context } from '../../ports/context.ts';
import { guardNamespace } from '../connections/auth.ts';
import { listen } from '../handle.ts';
import { commandPaceOf } from '../meter.ts';
import type { Parts } from './parts.ts';
import { readerMessages } from './reader-messages.ts';
import { listOpenLately } from './open-lately.ts';
import { vendorRoom } from '../relay/rooms.ts';
import { forgetHandshake, type ClientSocket, type SocketServer } from '../sockets.ts';

/** The vendors' namespace: all deliveries of the key's vendor and mode, with the positions of their couriers. */
export function startVendor(ctx: Context, io: SocketServer, { connections, replay, holds, feed }: Parts): void {
  const messages = new Map(readerMessages<{ socket: ClientSocket }>(ctx, '/vendor', replay));
  guardNamespace(ctx, io, '/vendor', connections);
  io.of('/vendor').on('connection', (socket) => {
    const { caller } = socket.data;
    if (caller.type !== 'vendor') return;
    const { vendorId, liveMode } = caller;
    listen(ctx, connections, socket, { socket }, messages, commandPaceOf);
    socket.on('disconnect', () => {
      holds.drop(socket);
      feed.leave(socket);
    });
    forgetHandshake(socket);
    const room = vendorRoom(vendorId, liveMode);
    void socket.join(room);
    void feed.follow(socket, room);
    void replay.enter(socket, () => listOpenLately(ctx, { vendorId, liveMode }));
  });
}
