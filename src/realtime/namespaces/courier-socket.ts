import type { EventType } from '../../domain/deliveries/events.ts';
import type { CourierId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import { guardDoor } from '../connections/auth.ts';
import { courierMessages } from './courier-messages.ts';
import type { Door } from '../connections/door.ts';
import { listen } from '../handle.ts';
import { commandPaceOf, pingPaceOf, type Pace } from '../meter.ts';
import { presentOffer, showOffer } from './offers.ts';
import type { Parts } from './parts.ts';
import { courierRoom } from '../relay/rooms.ts';
import {
  forgetHandshake,
  socketsIn,
  type ClientSocket,
  type Joined,
  type SocketNamespace,
  type SocketServer,
} from '../sockets.ts';

/** After these a courier needs the delivery itself: its events carry none. */
const SHOWN_AFTER: readonly EventType[] = [
  'courier.assigned',
  'delivery.created',
  'delivery.updated',
  'delivery.ready',
  'delivery.delayed',
];
/** Two connections made within this machine time were made at once. */
const TIE_MS = 500;

/** The couriers' namespace: one connection per courier, its own offers and deliveries. */
export function startCourier(ctx: Context, io: SocketServer, { door, replay, relay, holds }: Parts): void {
  const nsp = io.of('/courier');
  const messages = courierMessages(ctx, replay);
  const pingPace = pingPaceOf(ctx.settings.positions);
  const paceOf = (name: string): Pace => (name === 'ping' ? pingPace : commandPaceOf(name));
  guardDoor(ctx, io, '/courier', door);
  nsp.on('connection', (socket) => {
    const { caller } = socket.data;
    if (caller.type !== 'courier') return;
    // Before anything is awaited: a phone may send at once.
    listen(ctx, door, socket, { socket, caller }, messages, paceOf);
    socket.on('disconnect', () => holds.drop(socket));
    forgetHandshake(socket);
    void socket.join(courierRoom(caller.courierId));
    takeOver(nsp, door, { courierId: caller.courierId, socketId: socket.id });
    void replay.enter(socket, async () => (await ctx.couriers.find(caller.courierId))?.active ?? []);
    void repeatOffer(ctx, socket, caller.courierId);
  });
  nsp.on('courier.joined', (joined) => giveWay(ctx, nsp, door, joined));
  relay.onEvent(({ type, delivery_id: deliveryId, route }) => {
    if (route.courier_id === null || !SHOWN_AFTER.includes(type)) return;
    for (const socket of socketsIn(nsp, courierRoom(route.courier_id))) void replay.show(socket, deliveryId);
  });
}

/** The couriers connected to this process, for their presence. */
export function connectedCouriers(io: SocketServer): CourierId[] {
  const callers = [...io.of('/courier').sockets.values()].map(({ data }) => data.caller);
  return callers.flatMap((caller) => (caller.type === 'courier' ? [caller.courierId] : []));
}

/** One connection per courier: the others are closed on every process. */
function takeOver(nsp: SocketNamespace, door: Door, joined: Joined): void {
  for (const socket of othersOf(nsp, joined)) door.close(socket, 'newer');
  nsp.serverSideEmit('courier.joined', joined);
}

/**
 * The courier has joined on another process. Clocks of two machines do not tell which of two connections is the newer
 * one; that one here was made in this very moment does. Then their ids decide, here and there alike, so that exactly one
 * stays.
 */
function giveWay(ctx: Pick<Context, 'clock'>, nsp: SocketNamespace, door: Door, joined: Joined): void {
  for (const socket of othersOf(nsp, joined)) {
    const isTie = ctx.clock.real.elapsed() - socket.data.joinedAt < TIE_MS;
    if (isTie && socket.id > joined.socketId) {
      nsp.serverSideEmit('courier.joined', { courierId: joined.courierId, socketId: socket.id });
    } else {
      door.close(socket, 'newer');
    }
  }
}

function othersOf(nsp: SocketNamespace, { courierId, socketId }: Joined): ClientSocket[] {
  return socketsIn(nsp, courierRoom(courierId)).filter(({ id }) => id !== socketId);
}

/** The offer that is open for a courier who comes back is shown again. */
async function repeatOffer(ctx: Context, socket: ClientSocket, courierId: CourierId): Promise<void> {
  try {
    const offer = await ctx.offers.findOpenOf(courierId);
    if (offer === null || offer.expiresAt <= ctx.clock.now()) return;
    const delivery = await ctx.deliveries.get(offer.deliveryId);
    const isSeen = await showOffer(socket, presentOffer(offer, delivery), ctx.settings);
    if (isSeen) await ctx.offers.markDelivered(offer.id, ctx.clock.now());
  } catch (error) {
    // The store is away; the region's leader shows the offer again until it expires.
    ctx.log.warn({ error: String(error), courierId }, 'an open offer was not shown on joining');
  }
}
