import { makeChange, withEffects, type Happening } from '../../src/dispatch/change-delivery.ts';
import { cardOf, type Courier } from '../../src/domain/couriers/courier.ts';
import type { Delivery } from '../../src/domain/deliveries/delivery.ts';
import type { Offer } from '../../src/domain/offers/offer.ts';
import { createClock } from '../../src/clock.ts';
import type { Mongo } from '../../src/engines/mongo.ts';
import { createStores, type Stores } from '../../src/models/stores.ts';
import type { Change, Claim, EffectOf } from '../../src/ports/changes.ts';
import type { Log } from '../../src/ports/process.ts';
import { defaultSettings } from '../../src/settings.ts';
import { aCourier, aDelivery, anOffer, NOON, aMoment } from '../builders.ts';
import { patient } from '../clock.ts';
import { openDatabase } from '../database.ts';

export const QUIET: Log = { info: () => {}, warn: () => {}, error: () => {}, audit: () => {}, covers: () => false };
/** Machine time runs, so that deadlines and back-offs are real. */
export const CLOCK = createClock();
export const SETTINGS = defaultSettings();

export type House = Stores & { readonly mongo: Mongo };

/** The stores on a database that only this test file uses now. `options` are the URL's. */
export async function openHouse(name: string, options = ''): Promise<House> {
  const mongo = await openDatabase(name, QUIET, options);
  return { mongo, ...createStores(mongo, patient(CLOCK), SETTINGS) };
}

const SYSTEM = { type: 'system', id: null } as const;

/** The birth of a delivery. */
export function aBirth(over: Parameters<typeof aDelivery>[0] = {}, claims: readonly Claim[] = []): Change {
  const born = aDelivery(over);
  const change = makeChange(null, born, [{ type: 'delivery.created', actor: SYSTEM }], aMoment(born.times.createdAt));
  return withEffects({ ...change, after: { ...change.after, times: born.times } }, claims.map(claiming));
}

/** The effect that claims this fact. */
export function claiming(claim: Claim): EffectOf<'claim_fact'> {
  return { kind: 'claim_fact', ...claim };
}

/** The effect that withdraws every offer of the delivery. */
export function withdrawing({ id }: Pick<Delivery, 'id'>): EffectOf<'close_offers'> {
  return { kind: 'close_offers', deliveryId: id, accepted: null, reason: 'canceled', at: NOON };
}

/** A change of a delivery that makes one event, without details. */
export function aChange(
  before: Delivery,
  sets: Partial<Delivery>,
  type: Happening['type'] = 'delivery.updated',
): Change {
  return makeChange(before, { ...before, ...sets }, [{ type, actor: SYSTEM } as Happening], aMoment(NOON + 1000));
}

/** The courier takes the delivery, by this offer or because a person assigned it. */
export function anAssignment(before: Delivery, courier: Courier, offer: Offer | null = null): Change {
  const sets = { state: 'assigned', courierId: courier.id, courier: cardOf(courier) } as const;
  const at = NOON + 1000;
  return withEffects(aChange(before, sets, 'courier.assigned'), [
    { kind: 'take_courier', courierId: courier.id, version: courier.version, deliveryId: before.id },
    { kind: 'close_offers', deliveryId: before.id, accepted: offer?.id ?? null, reason: 'taken', at },
  ]);
}

export async function storeDelivery({ commit }: House, over: Parameters<typeof aDelivery>[0] = {}): Promise<Delivery> {
  const birth = aBirth(over);
  const result = await commit(birth);
  if (!result.ok) throw new Error(`the birth was ${result.why}`);
  return birth.after;
}

export async function storeCourier({ couriers }: House, over: Partial<Courier> = {}): Promise<Courier> {
  const courier = aCourier(over);
  if (!(await couriers.add(courier, null))) throw new Error('the phone is taken');
  return courier;
}

/** An offer to a courier who is stored, online and free. */
export async function offerToFree(house: House, over: Partial<Offer> = {}): Promise<Offer> {
  return anOffer({ courierId: (await storeCourier(house)).id, ...over });
}

/** A fingerprint of all that is stored. Two equal ones prove that nothing was written in between. */
export async function fingerprint({ mongo }: House): Promise<unknown> {
  const { collections } = await mongo.db.command({ dbHash: 1 });
  return collections;
}

/** The cursors of the open change streams of this collection. */
export async function openStreams({ mongo }: Pick<House, 'mongo'>, collection: string): Promise<unknown[]> {
  const admin = mongo.connection.getClient().db('admin');
  const stages = [{ $currentOp: { idleCursors: true } }, { $match: { 'cursor.tailable': true } }];
  const operations = await admin.aggregate(stages, { promoteLongs: false }).toArray();
  const mine = operations.filter(({ ns }) => ns === `${mongo.db.databaseName}.${collection}`);
  return mine.map((operation) => operation['cursor'].cursorId as unknown);
}

/** Kills every open change stream of this collection on the server. Returns how many. */
export async function killStreams({ mongo }: Pick<House, 'mongo'>, collection: string): Promise<number> {
  const cursors = await openStreams({ mongo }, collection);
  if (cursors.length > 0) await mongo.db.command({ killCursors: collection, cursors });
  return cursors.length;
}
