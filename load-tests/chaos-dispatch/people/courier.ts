// A difficult courier. They accept, decline, accept late, twice or on two sockets at once, give deliveries back, and
// carry them.
import type { FixTuple } from '../../../src/domain/couriers/fix-tuple.ts';
import type { Socket } from 'socket.io-client';
import type { Ack, Snapshot } from '../../../src/realtime/protocol.ts';
import type { Coordinates } from '../../day/day.ts';
import { handshakeOf, keepConnected, type Connection } from '../../clients/connection.ts';
import { courierSession } from '../../clients/session.ts';
import type { Session } from '../../../packages/client/src/credentials.ts';
import { isEvent, type OfferView } from '../../clients/wire.ts';
import type { Answer } from '../judge/answers.ts';
import { ask, askOn, insist, openSecond } from './phone.ts';
import { UNLOVED_ADDRESS } from './vendor.ts';
import type { World } from './world.ts';

/** The reactions to an offer, and how often each comes in a hundred. */
const HABITS = {
  accept: 72,
  decline: 6,
  'accept late': 6,
  'accept twice': 6,
  'accept on two sockets': 7,
  'say nothing': 3,
} as const;
type Habit = keyof typeof HABITS;
const HABIT_NAMES = Object.keys(HABITS) as Habit[];

/** The chance to decline an unpopular delivery. After three refusals, the server asks three couriers at once. */
const DISLIKE = 0.7;
/** The percentage of assigned deliveries that the courier gives back. */
const RELEASES = 4;
/** The service time that a courier takes to answer, and between two steps. */
const THINK_MS = 3000;
const STEP_MS = 2000;
/** How long after the end of an offer a late courier accepts it at most; service time. */
const LATE_MS = 3000;
/** Machine time between two fixes of a courier who stands still. */
const FIX_MS = 3000;
const RENEW_MS = 60_000;
const ACCURACY_M = 8;
const MOST_ACCEPTS = 30;
/** Deliveries that are reported to a courier as theirs. */
const IN_HAND = ['assigned', 'picked_up', 'in_transit'];

type Registered = { readonly id: string; readonly phone: string };
type Me = {
  readonly id: string;
  readonly world: World;
  readonly connection: Connection;
  readonly session: Session;
};

/** Works until stopped. */
export function startCourier(world: World, { id, phone }: Registered, place: Coordinates): { stop(): void } {
  const session = courierSession(world.newApi(), phone);
  const answered = new Set<string>();
  const carrying = new Set<string>();
  const take = (deliveryId: string): void => {
    if (carrying.has(deliveryId)) return;
    carrying.add(deliveryId);
    void carry(me, deliveryId).finally(() => carrying.delete(deliveryId));
  };
  const listen = (socket: Socket): void => {
    socket.on('connect', () => void report());
    socket.on('offer.new', (offer: OfferView, acknowledge: (seen: { ok: true }) => void) => {
      acknowledge({ ok: true });
      if (answered.has(offer.offer_id)) return;
      answered.add(offer.offer_id);
      void answerOffer(me, offer).then((isMine) => isMine && take(offer.delivery_id));
    });
    socket.on('snapshot', ({ delivery_id: deliveryId, delivery }: Snapshot) => {
      if (IN_HAND.includes(delivery.status)) take(deliveryId);
    });
    socket.onAny((_name: string, payload: unknown) => {
      // A return is assigned to its courier from its birth.
      if (isEvent(payload) && ['courier.assigned', 'delivery.created'].includes(payload.type))
        take(payload.delivery_id);
    });
  };
  let seq = 0;
  const report = async (): Promise<void> => {
    seq += 1;
    const fix: FixTuple = [seq, Math.round(world.time.now()), place.lat, place.lng, ACCURACY_M, 0, 0];
    connection.socket()?.emit('ping', { fixes: [fix] }, () => undefined);
  };
  const connection = keepConnected({
    addresses: world.addresses,
    namespace: '/courier',
    ...handshakeOf(session),
    listen,
  });
  const me: Me = { id, world, connection, session };
  const timers = [
    setInterval(() => void report(), FIX_MS),
    setInterval(() => void renew(connection, session), RENEW_MS),
  ];
  return {
    stop: () => {
      for (const timer of timers) clearInterval(timer);
      connection.close();
    },
  };
}

/** Reacts to the offer at random. True if the delivery is this courier's. */
async function answerOffer(me: Me, offer: OfferView): Promise<boolean> {
  const { world } = me;
  const isDisliked = offer.pickup.address === UNLOVED_ADDRESS && world.random.next() < DISLIKE;
  const habit = isDisliked ? 'decline' : world.random.pick(HABIT_NAMES, (name) => HABITS[name]);
  world.counts.add(`offer: ${habit}`);
  if (habit === 'say nothing') return false;
  if (habit === 'accept late') {
    await world.time.until(Date.parse(offer.expires_at) + world.random.between(0, LATE_MS));
    return accept(me, offer);
  }
  await world.time.sleep(world.random.between(0, THINK_MS));
  if (habit === 'decline') {
    await ask(me.connection, 'offer.decline', { offer_id: offer.offer_id });
    return false;
  }
  if (habit === 'accept twice') {
    const both = await Promise.all([acceptOnce(me, offer), acceptOnce(me, offer)]);
    return both.includes('ok') || (both.includes('unknown') && (await accept(me, offer)));
  }
  if (habit === 'accept on two sockets') await acceptOnTwo(me, offer);
  return accept(me, offer);
}

/** Accepts until the server answers. A repeated accept must get the same answer. */
async function accept(me: Me, offer: OfferView): Promise<boolean> {
  for (let tries = 0; tries < MOST_ACCEPTS; tries += 1) {
    const answer = await acceptOnce(me, offer);
    if (answer !== 'unknown') return answer === 'ok';
  }
  return false;
}

async function acceptOnce(me: Me, offer: OfferView): Promise<Answer> {
  return note(me, offer, await ask(me.connection, 'offer.accept', { offer_id: offer.offer_id }));
}

/**
 * Accepts on a second socket, mostly to another server, and at the same time on the first one, which the second one
 * replaces.
 */
async function acceptOnTwo(me: Me, offer: OfferView): Promise<void> {
  const { world, connection, session } = me;
  const first = connection.socket();
  const second = await openSecond(
    world.random.pick(world.addresses, () => 1),
    await session.token(),
  );
  if (second === null) return;
  const body = { offer_id: offer.offer_id };
  const answers = await Promise.all([
    askOn(second, 'offer.accept', body),
    first === null ? null : askOn(first, 'offer.accept', body),
  ]);
  for (const ack of answers) note(me, offer, ack);
  second.disconnect();
}

function note({ id: courierId, world: { answers, counts } }: Me, offer: OfferView, ack: Ack | null): Answer {
  const answer = ack === null ? 'unknown' : ack.ok ? 'ok' : ack.problem.retryable ? 'unknown' : 'refused';
  answers.note({ id: offer.offer_id, deliveryId: offer.delivery_id, courierId }, answer);
  counts.add(`accept: ${ack === null ? 'no answer' : ack.ok ? 'ok' : ack.problem.code}`);
  return answer;
}

/** Carries the delivery to its drop-off, or gives it back, from any state. */
async function carry({ world, connection }: Me, deliveryId: string): Promise<void> {
  const { time, random, counts } = world;
  const body = { delivery_id: deliveryId };
  await time.sleep(random.between(0, STEP_MS));
  if (random.between(0, 100) < RELEASES) {
    // After any other answer, the courier still has to carry the goods, or another courier has them.
    const given = await insist(connection, 'delivery.release', { ...body, reason: 'changed my mind' }, 'delivered');
    counts.add(`release: ${given}`);
    if (given === 'done') return;
  }
  // These couriers stand where regions meet and never move. This run only judges who has which delivery.
  const there = { ...body, override_reason: 'stands still' };
  const steps = [
    ['delivery.pick_up', there, 'picked_up'],
    ['delivery.depart', body, 'in_transit'],
    ['delivery.deliver', { ...there, stop: 1 }, 'delivered'],
  ] as const;
  for (const [message, more, aim] of steps) {
    if ((await insist(connection, message, more, aim)) === 'lost') return counts.add(`${message}: lost`);
    await time.sleep(random.between(0, STEP_MS));
  }
}

/** Tokens expire, so a connection gets the next one before the server closes it. */
async function renew(connection: Connection, session: Session): Promise<void> {
  try {
    await ask(connection, 'auth', { token: await session.token() });
  } catch {
    // No token is available right now. The next turn asks again, and a new connection gets a new token anyway.
  }
}
