import type { Caller, StaffRole } from '../../domain/access.ts';
import { auditedActorOf } from '../../domain/audit.ts';
import { isViewCell } from '../../domain/geo/geo.ts';
import { anyOf, Refusal, refuseCaller, refuseField } from '../../domain/refusals/refusals.ts';
import { assignCourier } from '../../dispatch/offers/assign-courier.ts';
import { endingOf } from '../../domain/couriers/courier-actions.ts';
import { unassignCourier } from '../../dispatch/offers/unassign-courier.ts';
import type { Context } from '../../ports/context.ts';
import { guardNamespace } from '../connections/auth.ts';
import { onDelivery } from './courier-messages.ts';
import type { Connections } from '../connections/connections.ts';
import { listen, message, type Messages } from '../handle.ts';
import { commandPaceOf } from '../meter.ts';
import { presentAlarm } from './offers.ts';
import { listOpenLately } from './open-lately.ts';
import type { Parts } from './parts.ts';
import { AssignBody, UnassignBody, WatchBody } from '../protocol.ts';
import { readerMessages } from './reader-messages.ts';
import { cellRoom } from '../relay/rooms.ts';
import { forgetHandshake, type ClientSocket, type SocketServer } from '../sockets.ts';

type Me = {
  readonly socket: ClientSocket;
  readonly caller: Extract<Caller, { type: 'staff' }>;
  /** For the audit log. */
  readonly network: string;
};

/** The roles that may assign deliveries. All staff may read. */
const DISPATCHERS: readonly StaffRole[] = ['dispatcher', 'admin'];
/** Most open alarms that a dispatcher receives on joining, newest first. */
const MOST_ALARMS = 1000;

/** The dispatchers' namespace: events and couriers of the watched cells, and all alarms. */
export function startAdmin(ctx: Context, io: SocketServer, parts: Parts): void {
  const messages = adminMessages(ctx, parts);
  const { connections, replay, holds, feed } = parts;
  guardNamespace(ctx, io, '/admin', connections);
  io.of('/admin').on('connection', (socket) => {
    const { caller } = socket.data;
    if (caller.type !== 'staff') return;
    const { network } = connections.connectionOf(socket).from;
    listen(ctx, connections, socket, { socket, caller, network }, messages, commandPaceOf);
    socket.on('disconnect', () => {
      holds.drop(socket);
      feed.leave(socket);
    });
    forgetHandshake(socket);
    void tellAlarms(ctx, connections, socket);
    void replay.enter(socket, () => listOpenLately(ctx, {}));
  });
}

function adminMessages(ctx: Context, parts: Parts): Messages<Me> {
  return new Map([
    ...readerMessages<Me>(ctx, '/admin', parts),
    ['watch', message(WatchBody, ({ socket }: Me, { cells }, reply) => watch(parts, socket, cells, reply))],
    [
      'assign',
      message(AssignBody, async (me: Me, body) => {
        const { delivery_id: deliveryId, courier_id: courierId, override_reason: overrideReason = null } = body;
        const command = { deliveryId, courierId, offerId: null, overrideReason };
        return onDelivery(await audited(ctx, me, (by) => assignCourier(ctx, command, by)));
      }),
    ],
    [
      'unassign',
      message(UnassignBody, async (me: Me, { delivery_id: deliveryId, ...body }) => {
        const command = { deliveryId, ...endingOf(body) };
        return onDelivery(await audited(ctx, me, (by) => unassignCourier(ctx, command, by)));
      }),
    ],
  ]);
}

/** Runs an action of a dispatcher. Its entry in the audit log names their network. */
function audited<T>({ audit }: Context, { socket, network }: Me, act: (by: Me['caller']) => Promise<T>): Promise<T> {
  const by = dispatcherOf(socket);
  return audit.within({ actor: auditedActorOf(by), requestId: null, network }, () => act(by));
}

/** The caller of the newest token. A token from `auth` may have other roles. */
function dispatcherOf({ data: { caller } }: ClientSocket): Me['caller'] {
  if (caller.type !== 'staff') throw refuseCaller(caller.type, ['staff']);
  if (caller.roles.some((role) => DISPATCHERS.includes(role))) return caller;
  throw new Refusal('forbidden', { detail: `Only staff with the role ${anyOf(DISPATCHERS)} may do this.` });
}

/** Replaces the watched cells. The answer is sent first, then their newest sequence numbers and positions. */
function watch(
  { relay, feed }: Parts,
  socket: ClientSocket,
  cells: readonly string[],
  reply: (result: object) => void,
): undefined {
  const wrong = cells.findIndex((cell) => !isViewCell(cell));
  if (wrong !== -1) {
    throw refuseField(`/cells/${wrong}`, 'invalid_cell', 'must be an H3 cell of resolution 7');
  }
  const rooms = new Set(cells.map(cellRoom));
  for (const room of socket.rooms) if (room.startsWith('g:') && !rooms.has(room)) void socket.leave(room);
  void socket.join([...rooms]);
  reply({ cells: rooms.size });
  for (const top of relay.topOf(rooms)) socket.emit('top', top);
  void feed.watch(socket, [...new Set(cells)]);
  return undefined;
}

async function tellAlarms(
  ctx: Pick<Context, 'alarms' | 'log'>,
  connections: Connections,
  socket: ClientSocket,
): Promise<void> {
  try {
    const { items } = await ctx.alarms.listOpen({ limit: MOST_ALARMS, after: null });
    for (const alarm of items) socket.emit('alarm', presentAlarm(alarm));
  } catch (error) {
    // A dispatcher must not mistake an empty list for no alarms, so the client has to reconnect and try again.
    ctx.log.error({ error }, 'open alarms could not be read');
    connections.close(socket, 'failed');
  }
}
