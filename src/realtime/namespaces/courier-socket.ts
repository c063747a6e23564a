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
    takeOver(nsp, connections, socket, caller.courierId);
    if (!socket.connected) return;
    void replay.enter(socket, async () => (await ctx.couriers.find(caller.courierId))?.active ?? []);
    void repeatOffer(ctx, socket, caller.courierId);
  });
  nsp.on('courier.joined', (joined) => giveWay(ctx, nsp, connections, joined));
  relay.onChange(({ event, route: { deliveryId, courier_id: courierId } }) => {
    if (courierId === null || !(event === null || SHOWN_AFTER.includes(event.type))) return;
    for (const socket of socketsIn(nsp, courierRoom(courierId))) void replay.show(socket, deliveryId);
  });
}

/** Closes the other connections of a courier on every process, or this one if a later login has a connection here. */
function takeOver(nsp: SocketNamespace, connections: Connections, socket: ClientSocket, courierId: CourierId): void {
  const joined = joinedBy(socket, courierId);
  for (const other of othersOf(nsp, joined)) {
    const own = joinedBy(other, courierId);
    if (compareLogins(own, joined) > 0) return close(connections, socket, own);
    close(connections, other, joined);
  }
  nsp.serverSideEmit('courier.joined', joined);
}

/**
 * Closes the connections of a courier who has joined on another process, unless they are of a later login. If a connection of
 * the same login was made here at the same moment, the clocks of two machines cannot tell which one is newer. In that case
 * both processes compare the ids, so that exactly one connection stays.
 */
function giveWay(ctx: Pick<Context, 'clock'>, nsp: SocketNamespace, connections: Connections, joined: Joined): void {
  for (const socket of othersOf(nsp, joined)) {
    const own = joinedBy(socket, joined.courierId);
    const isTie = ctx.clock.real.elapsed() - socket.data.joinedAt < TIE_MS;
    const order = compareLogins(own, joined);
    const isFirst = order === 0 ? isTie && socket.id > joined.socketId : order > 0;
    if (isFirst) nsp.serverSideEmit('courier.joined', own);
    else close(connections, socket, joined);
  }
}

/**
 * Closes a connection that gives way to another one. A phone whose courier has logged in elsewhere must stay away.
 * Otherwise two phones would take the connection from each other for ever.
 */
function close(connections: Connections, socket: ClientSocket, to: Joined): void {
  if (compareLogins(joinedBy(socket, to.courierId), to) === 0) connections.close(socket, 'newer');
  else connections.connectionOf(socket).dismiss(socket);
}

function joinedBy({ id: socketId, data: { caller } }: ClientSocket, courierId: CourierId): Joined {
  return { courierId, socketId, ...(caller.type === 'courier' ? { sessionId: caller.sessionId } : {}) };
}

/** Positive if the own login is the later one, and 0 if both are the same or one is not known. Ids sort by their time. */
function compareLogins({ sessionId: own }: Joined, { sessionId: other }: Joined): number {
  if (own === undefined || other === undefined || own === other) return 0;
  return own > other ? 1 : -1;
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
    ctx.log.warn({ error, courierId }, 'an open offer was not shown on joining');
  }
}
