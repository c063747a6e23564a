// A courier with a phone. They come online for the shift, report positions, answer offers, carry deliveries and go
// home.
import type { Socket } from 'socket.io-client';
import type { Courier } from '../../day/day.ts';
import type { Ack, Snapshot } from '../../../src/realtime/protocol.ts';
import { ask } from './act.ts';
import type { OfferView } from '../../clients/wire.ts';
import { carry, type Carrying } from './carry.ts';
import { handshakeOf, keepConnected, type Connection } from '../../clients/connection.ts';
import { sendPings } from './pings.ts';
import { courierSession } from '../../clients/session.ts';
import type { Session } from '../../../packages/client/src/credentials.ts';
import { noteSurprise, type Tally } from './tally.ts';
import { startTravel } from './travel.ts';
import { isEvent, type PresentedEvent } from '../../clients/wire.ts';
import type { World } from './world.ts';

export type Registered = { readonly courier: Courier; readonly id: string; readonly phone: string };

/** The time that a courier looks at the phone before they answer; service time. */
const THINK_MS = { least: 1500, most: 5000 };
const RENEW_REAL_MS = 60_000;
const IDLE_LOOK_MS = 15_000;
/** After an event of one of these types, the courier does not have its delivery any more. */
const ENDINGS = ['courier.unassigned', 'canceled', 'delivery.failed'];

/** Works the shift. Resolves when the courier is offline again, or when `isDone` reports the end of the day. */
export async function workShift(world: World, registered: Registered, isDone: () => boolean): Promise<void> {
  const { time } = world;
  await time.until(world.toService(registered.courier.onMin));
  const session = courierSession(world.api, registered.phone);
  const shift = startShift(world, registered, session);
  await setAvailability(world, registered.id, session, 'online');
  const endsAt = world.toService(registered.courier.offMin);
  while (!isDone() && (time.now() < endsAt || shift.isBusy())) await time.sleep(IDLE_LOOK_MS);
  shift.close();
  if (!isDone()) await setAvailability(world, registered.id, session, 'offline');
}

async function setAvailability({ api, tally }: World, id: string, session: Session, status: string): Promise<void> {
  try {
    await api.call('PATCH', `/couriers/${id}/status`, { token: await session.token(), body: { status } });
  } catch (error) {
    // The shift continues. The table shows what the courier cannot do then, with this reason.
    noteSurprise(tally, `status ${status}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

type Shift = { isBusy(): boolean; close(): void };

function startShift(world: World, { courier, id }: Registered, session: Session): Shift {
  const { time, tally } = world;
  const { locate, drive } = startTravel(world, courier.at);
  const held = new Map<string, Carrying>();
  let work = Promise.resolve();
  const answered = new Set<string>();
  const endsAt = world.toService(courier.offMin);

  const take = (deliveryId: string): void => {
    if (held.has(deliveryId)) return;
    const own: Carrying = { deliveryId, isOver: false, isDelivered: false };
    if ([...held.values()].some((other) => !other.isOver && !other.isDelivered)) tally.heldTwice += 1;
    held.set(deliveryId, own);
    // The next delivery waits for the handover of the last one, since the server frees a courier a little earlier.
    work = work
      .then(() => carry(world, id, own, drive, { connection, time, tally, isOver: () => own.isOver }))
      .finally(() => held.delete(deliveryId));
  };
  const onOffer = async (offer: OfferView): Promise<void> => {
    if (answered.has(offer.offer_id)) return;
    answered.add(offer.offer_id);
    tally.offers += 1;
    const { offer_id: offerId, delivery_id: deliveryId, expires_at: expiresAt } = offer;
    tally.arrivals.set(offerId, { deliveryId, courierId: id, expiresAt: Date.parse(expiresAt), arrivedAt: time.now() });
    await time.sleep(world.random.between(THINK_MS.least, THINK_MS.most));
    const isWilling = time.now() < endsAt && world.random.next() < world.acceptance;
    if (await answerOffer(world, connection, offer, isWilling)) take(offer.delivery_id);
  };
  const onEvent = (event: PresentedEvent): void => {
    const own = held.get(event.delivery_id);
    if (event.type === 'courier.assigned') take(event.delivery_id);
    else if (own !== undefined && ENDINGS.includes(event.type)) own.isOver = true;
  };
  const connection = keepConnected({
    addresses: world.api.addresses,
    namespace: '/courier',
    ...handshakeOf(session),
    onServerError: tally.onServerError,
    listen: (socket) => listen(socket, { onOffer, onEvent, onHeld: take }),
  });
  const stopPings = sendPings(connection, locate, { time, tally });
  const renewal = setInterval(() => void renew(connection, session), RENEW_REAL_MS);
  return {
    isBusy: () => held.size > 0,
    close: () => {
      stopPings();
      clearInterval(renewal);
      connection.close();
    },
  };
}

type Ears = {
  readonly onOffer: (offer: OfferView) => Promise<void>;
  readonly onEvent: (event: PresentedEvent) => void;
  /** A delivery that is this courier's in the server. The answer to an accept may have been lost. */
  readonly onHeld: (deliveryId: string) => void;
};

function listen(socket: Socket, { onOffer, onEvent, onHeld }: Ears): void {
  socket.on('offer.new', (offer: OfferView, acknowledge: (seen: { ok: true }) => void) => {
    acknowledge({ ok: true });
    void onOffer(offer);
  });
  socket.on('snapshot', ({ delivery_id: deliveryId, delivery }: Snapshot) => {
    if (delivery.status === 'assigned') onHeld(deliveryId);
  });
  socket.onAny((_name: string, payload: unknown) => {
    if (isEvent(payload)) onEvent(payload);
  });
}

/** Accepts or declines until the server answers. True if the delivery is this courier's. */
async function answerOffer(
  { time, tally }: World,
  connection: Connection,
  offer: OfferView,
  isWilling: boolean,
): Promise<boolean> {
  const message = isWilling ? 'offer.accept' : 'offer.decline';
  const expiresAt = Date.parse(offer.expires_at);
  let ack = isWilling ? await acceptFirst(connection, offer, tally) : null;
  while (ack === null && (time.now() < expiresAt || connection.socket() !== null)) {
    ack = await ask(connection, message, { offer_id: offer.offer_id });
    if (ack === null && time.now() > expiresAt) break;
  }
  if (ack?.ok === true) {
    tally[isWilling ? 'accepted' : 'declined'] += 1;
    return isWilling;
  }
  const code = ack?.problem.code ?? 'no answer';
  if (code === 'offer_expired') tally.expired += 1;
  else if (code === 'offer_taken') tally.taken += 1;
  else noteSurprise(tally, `${message}: ${code}`);
  return false;
}

/**
 * Measures the first try of an accept, from sending it to its answer. The answer to a later try depends on the earlier
 * one.
 */
async function acceptFirst(connection: Connection, offer: OfferView, tally: Tally): Promise<Ack | null> {
  await connection.whenLive();
  const emittedAt = performance.now();
  const ack = await ask(connection, 'offer.accept', { offer_id: offer.offer_id });
  if (ack === null) tally.acceptsCut += 1;
  else tally.acceptMs.push(performance.now() - emittedAt);
  return ack;
}

/** Tokens expire, so a connection gets the next one before the server closes it. */
async function renew(connection: Connection, session: Session): Promise<void> {
  try {
    await ask(connection, 'auth', { token: await session.token() });
  } catch {
    // No token is available right now. The next turn asks again, and a new connection gets a new token anyway.
  }
}
