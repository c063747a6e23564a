import { createClock } from '../../src/clock.ts';
import { bookingOf, makeChange, withEffects } from '../../src/dispatch/change-delivery.ts';
import { answerRun } from '../../src/dispatch/match/answer.ts';
import type { Matcher } from '../../src/dispatch/regions/matcher.ts';
import type { Courier } from '../../src/domain/couriers/courier.ts';
import type { Delivery } from '../../src/domain/deliveries/delivery.ts';
import type { DomainEvent } from '../../src/domain/deliveries/events.ts';
import type { DeliveryId } from '../../src/domain/ids.ts';
import type { Offer } from '../../src/domain/offers/offer.ts';
import { type RefusalCode, Refusal } from '../../src/domain/refusals/refusals.ts';
import type { State } from '../../src/domain/deliveries/states.ts';
import type { Vendor } from '../../src/domain/vendors/vendor.ts';
import { createDecisionStore } from '../../src/models/regions/decision-store.ts';
import { holdFor } from '../../src/money/charges/fund-delivery.ts';
import { deliveryRow } from '../../src/models/deliveries/delivery-rows.ts';
import { createLinks } from '../../src/models/deliveries/links.ts';
import { connectMongo } from '../../src/models/connect-mongo.ts';
import { createVault } from '../../src/models/secrets/vault.ts';
import { createStores } from '../../src/models/stores.ts';
import { defaultSettings } from '../../src/settings.ts';
import { aCourier, aDelivery, anOffer, aVendor, heldBy, aMoment } from '../builders.ts';
import type { Clock, Log } from '../../src/ports/process.ts';
import type { Mongo } from '../../src/engines/mongo.ts';
import { atEnd } from '../at-end.ts';
import { handClock } from '../clock.ts';
import { openDatabase } from '../database.ts';
import { fillWallets } from '../funds.ts';
import {
  keptBell,
  keptHintTurns,
  keptLog,
  keptMetrics,
  keptNotices,
  keptPositions,
  keptPush,
  keptSessions,
  keptSurge,
  keptTravel,
  keptCarried,
  NO_STREETS,
} from '../kept-ports.ts';
import { settling } from './settling.ts';
import type { EffectOf } from '../../src/ports/changes.ts';
import { commitAlone } from '../../src/models/commit/commit-alone.ts';
import { DELIVERIES } from '../../src/models/deliveries/delivery-shape.ts';

/**
 * The matcher on the spot, after a short search: the test's clock waits neither for another thread nor for the best
 * plan.
 */
const promptMatcher: Matcher = {
  answer: ({ rules, ...request }) => {
    const search = { ...rules.search, mostRounds: 64 };
    return Promise.resolve(answerRun({ ...request, rules: { ...rules, search } }));
  },
  stop: () => Promise.resolve(),
};

export type World = Awaited<ReturnType<typeof openWorld>>;

/** Another MongoDB than the run's, and machine time that passes by itself. */
type Otherwise = { readonly mongoUrl?: string; readonly real?: Clock['real'] };

/**
 * The context of the use cases: real stores on a database of this file, a clock moved by hand, and ports that remember.
 */
export async function openWorld(name: string, { mongoUrl, real }: Otherwise = {}) {
  const log = keptLog();
  const clock = handClock();
  const settings = defaultSettings();
  const mongo = await (mongoUrl === undefined ? openDatabase(name, log) : connectTo(mongoUrl, log));
  // The database deletes ended rows by its own time, and the test's clock is long past.
  const machine = createClock();
  const keeping = { ...clock, real: real ?? { ...clock.real, now: () => machine.real.now() } };
  const { stores, settled } = settling(createStores(mongo, keeping, settings));
  const links = createLinks({ linkKey: 'a key for tests', deliveries: stores.deliveries, clock, settings });
  const said = { bell: keptBell(), notices: keptNotices(), push: keptPush(), metrics: keptMetrics(), log };
  const told = { surge: keptSurge(), hintTurns: keptHintTurns(), streets: NO_STREETS };
  const kept = {
    ...said,
    ...told,
    carried: keptCarried(),
    credentials: keptSessions(),
    positions: keptPositions(),
    phones: new Map(),
    travel: keptTravel(),
    vault: createVault(Buffer.alloc(32, 7)),
    matcher: promptMatcher,
  };
  const decisions = createDecisionStore({ mongo, clock: keeping, settings, metrics: kept.metrics });
  const commit = commitAlone(stores.commit);
  /** The same world as another process has it. One process commits the changes of a delivery one at a time. */
  const elsewhere = { commit: commitAlone(stores.commit) };
  return { ...stores, commit, elsewhere, ...kept, decisions, links, clock, settings, mongo, settled };
}

async function connectTo(mongoUrl: string, log: Log): Promise<Mongo> {
  const mongo = await connectMongo(mongoUrl, log);
  atEnd(() => mongo.close());
  return mongo;
}

/** A vendor whose wallets are full. */
export async function storeVendor(world: World, over: Partial<Vendor> = {}): Promise<Vendor> {
  const vendor = aVendor(over);
  await world.vendors.add(vendor);
  await fillWallets(world, vendor);
  return vendor;
}

export async function storeCourier(world: World, over: Partial<Courier> = {}): Promise<Courier> {
  const courier = aCourier(over);
  if (!(await world.couriers.add(courier, null))) throw new Error('the phone is taken');
  return courier;
}

/**
 * Stores a delivery, assigned to the courier if one is given. Its history is one event: the birth. If it has money, its
 * wallet holds that.
 */
export async function storeDelivery(
  world: World,
  over: Parameters<typeof aDelivery>[0] = {},
  courier: Courier | null = null,
): Promise<Delivery> {
  const born = aDelivery({ ...over, links: world.links.make(over.dropOffs?.length ?? 1) });
  const actor = { type: 'system', id: null } as const;
  const change = makeChange(null, born, [{ type: 'delivery.created', actor }], aMoment(born.times.createdAt));
  const taking = courier === null ? [] : [await takingNow(world, courier, born)];
  const holding = born.funds === undefined ? [] : bookingOf(holdFor(born, born.funds));
  const result = await world.commit(withEffects(change, [...taking, ...holding]));
  if (!result.ok) throw new Error(`the birth was ${result.why}`);
  return change.after;
}

/** The effect that assigns the delivery to the courier as stored now. */
async function takingNow(
  { couriers }: World,
  { id: courierId }: Courier,
  delivery: Delivery,
): Promise<EffectOf<'take_courier'>> {
  const { version } = await couriers.get(courierId);
  return { kind: 'take_courier', courierId, version, deliveryId: delivery.id };
}

/** Stores many deliveries at once, as rows. Returns their ids. Their histories are empty. */
export async function storeCrowd(
  { mongo, settings }: World,
  count: number,
  over: Parameters<typeof aDelivery>[0],
): Promise<DeliveryId[]> {
  const deliveries = Array.from({ length: count }, () => aDelivery(over));
  await mongo.collection(DELIVERIES).insertMany(deliveries.map((delivery) => deliveryRow(delivery, settings)));
  return deliveries.map(({ id }) => id);
}

/** A delivery in this state with a new courier. */
export async function storeHeld(
  world: World,
  state: State,
  over: Parameters<typeof heldBy>[2] = {},
): Promise<{ delivery: Delivery; courier: Courier }> {
  const courier = await storeCourier(world);
  const delivery = await storeDelivery(world, heldBy(courier, state, over), courier);
  return { delivery, courier };
}

/** An open offer of the delivery to the courier, from now on. */
export async function storeOffer(
  world: World,
  delivery: Delivery,
  courier: Courier,
  over: Partial<Offer> = {},
): Promise<Offer> {
  const now = world.clock.now();
  const times = { createdAt: now, expiresAt: now + world.settings.offers.expressTtlMs };
  const offer = anOffer({
    deliveryId: delivery.id,
    deliveryVersion: delivery.version,
    courierId: courier.id,
    ...times,
    ...over,
  });
  if (!(await world.offers.open(offer))) throw new Error('the offer did not open');
  return offer;
}

export async function eventsOf(world: World, id: DeliveryId): Promise<readonly DomainEvent[]> {
  return world.eventLog.list(id, 0, 1000);
}

export async function historyOf(world: World, id: DeliveryId): Promise<string[]> {
  return (await eventsOf(world, id)).map(({ type }) => type);
}

/** The code of the refusal. Fails if the promise is fulfilled or rejects otherwise. */
export async function codeOf(work: Promise<unknown>): Promise<RefusalCode> {
  return (await refusalOf(work)).code;
}

export async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  try {
    await work;
  } catch (error) {
    // The test is about the refusal. Any other error is a fault.
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
