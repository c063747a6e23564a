import type { Context } from '../../ports/context.ts';
import { guardNamespace } from '../connections/auth.ts';
import { tenantOf } from '../../domain/tenant.ts';
import { listen, type Row } from '../handle.ts';
import { commandPaceOf } from '../meter.ts';
import type { Parts } from './parts.ts';
import { readerMessages } from './reader-messages.ts';
import { listOpenLately } from './open-lately.ts';
import { vendorRoom } from '../relay/rooms.ts';
import { forgetHandshake, type ClientSocket, type SocketServer } from '../sockets.ts';

/** The vendors' namespace: all deliveries of the key's vendor and mode, with the positions of their couriers. */
export function startVendor(ctx: Context, io: SocketServer, parts: Parts): void {
  const { connections, replay, holds, feed } = parts;
  const rows = readerMessages<{ socket: ClientSocket }>(ctx, '/vendor', parts);
  const messages = new Map([...rows].map(([name, row]) => [name, confined(ctx, row)]));
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
    const owner = { vendorId, liveMode };
    void ctx.tenants.within(owner, () => replay.enter(socket, () => listOpenLately(ctx, owner)));
  });
}

/** The same message, whose work finds only what belongs to the vendor of its socket. */
function confined({ tenants }: Context, row: Row<{ socket: ClientSocket }>): Row<{ socket: ClientSocket }> {
  return async (me, given, reply) => {
    const tenant = tenantOf(me.socket.data.caller);
    const run = () => row(me, given, reply);
    return tenant === null ? run() : tenants.within(tenant, run);
  };
}
