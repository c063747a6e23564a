import { viewOffer } from '../../dispatch/offers/view-offer.ts';
import type { EventType } from '../../domain/deliveries/events.ts';
import type { CourierId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import { guardNamespace } from '../connections/auth.ts';
import { courierMessages } from './courier-messages.ts';
import type { Connections } from '../connections/connections.ts';
import { listen } from '../handle.ts';
import { commandPaceOf, pingPaceOf, type Pace } from '../meter.ts';
import { showOffer } from './offers.ts';
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

/** Events after which the courier receives a snapshot, because events for couriers do not contain the delivery. */
const SHOWN_AFTER: readonly EventType[] = [
  'courier.assigned',
  'delivery.created',
  'delivery.updated',
  'delivery.ready',
  'delivery.delayed',
];
/** Two connections made within this machine time count as simultaneous. */
const TIE_MS = 500;

/** The couriers' namespace: one connection per courier, with their own offers and deliveries. */
export function startCourier(ctx: Context, io: SocketServer, { connections, replay, relay, holds }: Parts): void {
  const nsp = io.of('/courier');
  const messages = courierMessages(ctx, { connections, replay });
  const pingPace = pingPaceOf(ctx.settings.positions);
  const paceOf = (name: string): Pace => (name === 'ping' ? pingPace : commandPaceOf(name));
  guardNamespace(ctx, io, '/courier', connections);
  nsp.on('connection', (socket) => {
    const { caller } = socket.data;
    if (caller.type !== 'courier') return;
    // This must come before anything is awaited, because a phone may send at once.
    listen(ctx, connections, socket, { socket, caller }, messages, paceOf);
    const leave = ctx.positions.keepPresent(caller.courierId);
    socket.on('disconnect', () => {
      leave();
      holds.drop(socket);
    });
    forgetHandshake(socket);
    void socket.join(courierRoom(caller.courierId));
    takeOver(nsp, connections, { courierId: caller.courierId, socketId: socket.id });
    void replay.enter(socket, async () => (await ctx.couriers.find(caller.courierId))?.active ?? []);
    void repeatOffer(ctx, socket, caller.courierId);
  });
  nsp.on('courier.joined', (joined) => giveWay(ctx, nsp, connections, joined));
  relay.onChange(({ event, route: { deliveryId, courier_id: courierId } }) => {
    if (courierId === null || !(event === null || SHOWN_AFTER.includes(event.type))) return;
    for (const socket of socketsIn(nsp, courierRoom(courierId))) void replay.show(socket, deliveryId);
  });
}

/** Closes the other connections of a courier on every process. */
function takeOver(nsp: SocketNamespace, connections: Connections, joined: Joined): void {
  for (const socket of othersOf(nsp, joined)) connections.close(socket, 'newer');
  nsp.serverSideEmit('courier.joined', joined);
}

/**
 * Closes the connections of a courier who has joined on another process. If a connection here was made at the same
 * moment, the clocks of two machines cannot tell which one is newer. In that case both processes compare the ids, so
 * that exactly one connection stays.
 */
function giveWay(ctx: Pick<Context, 'clock'>, nsp: SocketNamespace, connections: Connections, joined: Joined): void {
  for (const socket of othersOf(nsp, joined)) {
    const isTie = ctx.clock.real.elapsed() - socket.data.joinedAt < TIE_MS;
    if (isTie && socket.id > joined.socketId) {
      nsp.serverSideEmit('courier.joined', { courierId: joined.courierId, socketId: socket.id });
    } else {
      connections.close(socket, 'newer');
    }
  }
}

function othersOf(nsp: SocketNamespace, { courierId, socketId }: Joined): ClientSocket[] {
  return socketsIn(nsp, courierRoom(courierId)).filter(({ id }) => id !== socketId);
}

/** Shows an open offer again to a courier who reconnects. */
async function repeatOffer(ctx: Context, socket: ClientSocket, courierId: CourierId): Promise<void> {
  try {
    const offer = await ctx.offers.findOpenOf(courierId);
    if (offer === null || offer.expiresAt <= ctx.clock.now()) return;
    const delivery = await ctx.deliveries.get(offer.deliveryId);
    const isSeen = await showOffer(socket, await viewOffer(ctx, offer, delivery), ctx.settings);
    if (isSeen) await ctx.offers.markDelivered(offer.id, ctx.clock.now());
  } catch (error) {
    // The store does not answer. The leader of the region shows the offer again until it expires.
    ctx.log.warn({ error: String(error), courierId }, 'an open offer was not shown on joining');
  }
}
