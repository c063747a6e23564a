import type { mongo } from 'mongoose';
import { isTerminal } from '../../domain/deliveries/lifecycle.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Change, Claim, Commit, CommitResult } from '../../ports/changes.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import { isAway, refuseAway } from '../../engines/away.ts';
import { claimRow, findClaims, type ClaimRow } from '../claim-store.ts';
import { readConfirmed } from './confirmed.ts';
import { changeCourier } from '../couriers/courier-rows.ts';
import { deliveryRow, type DeliveryRow } from '../deliveries/delivery-rows.ts';
import { eventKey, eventRow, type EventRow } from '../deliveries/event-rows.ts';
import { isDuplicateKey, type Mongo } from '../../engines/mongo.ts';
import { AS_OFFER, closeOffersOf, findOpenOffers, type OfferRow } from '../offers/offer-rows.ts';
import { endsOn } from '../../engines/retention.ts';
import { OutcomeUnknown, transact } from '../../engines/transact.ts';

/** Leaves the transaction, of which nothing stays: what the change was decided on is no longer so. */
class Stale extends Error {}
/** The same: a fact is claimed already. */
class Claimed extends Error {}

/** What a caller is told whose change was given up whole. */
const NOT_MADE = 'The database was too slow to make this change, and nothing of it is stored. Send the request again.';

type Engine = { readonly mongo: Mongo; readonly clock: Clock; readonly settings: Settings };
type Work = Engine & { readonly session: mongo.ClientSession };

/**
 * Makes the one write of a delivery. A change and the one it opens are a single transaction of at most 5 s: all of it
 * is stored or nothing. Refuses `busy` when it was not stored, or when nobody can tell in time whether it was; the detail
 * says which.
 */
export function createCommit(mongo: Mongo, clock: Clock, settings: Settings): Commit {
  return (change) => refuseAway(commit({ mongo, clock, settings }, change));
}

async function commit(engine: Engine, change: Change): Promise<CommitResult> {
  try {
    const withdrawn = await store(engine, change);
    return { ok: true, withdrawn: [...withdrawn, ...(await withdrawLate(engine, change))] };
  } catch (error) {
    // A missed condition or a taken key leaves the transaction by throwing; only here is it told apart.
    if (error instanceof Stale) return { ok: false, why: 'stale' };
    if (error instanceof Claimed) return tellHolder(engine.mongo, change);
    throw error;
  }
}

/** Stores the change, and looks for it when its outcome is unknown. Gives the offers it withdrew. */
async function store(engine: Engine, change: Change): Promise<Offer[]> {
  const { mongo, clock } = engine;
  try {
    return await transact(mongo, clock, (session) => write({ ...engine, session }, change));
  } catch (error) {
    if (error instanceof OutcomeUnknown) return lookUp(mongo, change, error);
    throw error;
  }
}

async function write(work: Work, change: Change): Promise<Offer[]> {
  const { mongo, session } = work;
  const changes = unfold(change);
  for (const each of changes) await writeDelivery(work, each);
  for (const { courier } of changes) {
    if (courier !== null && !(await changeCourier(mongo, session, courier))) throw new Stale();
  }
  await insertClaims(work, allClaims(change));
  const withdrawn: Offer[] = [];
  for (const { after, offers } of changes) {
    if (offers === null) continue;
    const closed = await closeOffersOf(closing(work), after.id, offers);
    if (closed === null) throw new Stale();
    withdrawn.push(...closed);
  }
  await writeEvents(work, changes);
  return withdrawn;
}

/** Appends the events. Those of a delivery that has ended by now go some time after it, the earlier ones too. */
async function writeEvents({ mongo, clock, settings, session }: Work, changes: readonly Change[]): Promise<void> {
  const events = mongo.collection<EventRow>('events');
  const ends = endsOn(clock, settings.retention.eventsMs);
  for (const { before, after } of changes) {
    if (before === null || !isTerminal(after.state)) continue;
    const earlier = { delivery_id: after.id, sequence: { $lte: before.sequence } };
    await events.updateMany(earlier, { $set: { endsOn: ends } }, { session });
  }
  const rows = changes.flatMap((change) =>
    change.events.map((event) => eventRow(event, isTerminal(change.after.state) ? ends : null)),
  );
  if (rows.length > 0) await events.insertMany(rows, { session });
}

function closing({ mongo, clock, settings, session }: Work): Parameters<typeof closeOffersOf>[0] {
  return { mongo, session, ends: endsOn(clock, settings.retention.offersMs) };
}

/** The change and those it opens. */
function unfold(change: Change): Change[] {
  return change.opens === null ? [change] : [change, ...unfold(change.opens)];
}

function allClaims(change: Change): Claim[] {
  return unfold(change).flatMap(({ claims }) => claims);
}

async function writeDelivery({ mongo, settings, session }: Work, { before, after }: Change): Promise<void> {
  const deliveries = mongo.collection<DeliveryRow>('deliveries');
  const row = deliveryRow(after, settings.search);
  if (before !== null) {
    const condition = { _id: before.id, state: before.state, version: before.version };
    const { matchedCount } = await deliveries.replaceOne(condition, row, { session });
    if (matchedCount === 0) throw new Stale();
    return;
  }
  try {
    await deliveries.insertOne(row, { session });
  } catch (error) {
    // Born already, by an earlier try of the same.
    throw isDuplicateKey(error) ? new Stale() : error;
  }
}

async function insertClaims({ mongo, clock, settings, session }: Work, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return;
  const ends = endsOn(clock, settings.retention.claimsMs);
  const rows = claims.map((claim) => claimRow(claim, ends));
  try {
    await mongo.collection<ClaimRow>('claims').insertMany(rows, { session });
  } catch (error) {
    // A taken fact is an answer, not a fault.
    throw isDuplicateKey(error) ? new Claimed() : error;
  }
}

/** The first of the change's claims that somebody holds. */
async function tellHolder(mongo: Mongo, change: Change): Promise<CommitResult> {
  const wanted = allClaims(change);
  const held = await findClaims(
    mongo,
    wanted.map(({ fact }) => fact),
  );
  const claim = wanted.map(({ fact }) => held.find((row) => row.fact === fact)).find((row) => row !== undefined);
  return claim === undefined ? { ok: false, why: 'stale' } : { ok: false, why: 'claimed', claim };
}

/**
 * Withdraws offers that were opened while the transaction ran and so were not seen by it. Whoever opens an offer looks
 * at the delivery afterwards: one of the two sees the other.
 */
async function withdrawLate(engine: Engine, { after, offers }: Change): Promise<Offer[]> {
  if (offers === null) return [];
  const { mongo, clock } = engine;
  try {
    if ((await findOpenOffers(mongo, after.id)).length === 0) return [];
    const late = { ...offers, accepted: null };
    return (
      (await transact(mongo, clock, (session) => closeOffersOf(closing({ ...engine, session }), after.id, late))) ?? []
    );
  } catch (error) {
    // The change is stored whatever happens here, and an offer left open leads nowhere and expires by itself.
    mongo.log.warn({ delivery: after.id, error: String(error) }, 'late offers stay open until they expire');
    return [];
  }
}

/**
 * Finds out whether a change was stored: its last event proves it. Gives the offers that it withdrew. What only the
 * primary has is waited for, since a failover takes it back; what a confirmed read does not find is not stored, and
 * cannot be any more.
 */
async function lookUp(mongo: Mongo, { events, after, offers }: Change, unknown: OutcomeUnknown): Promise<Offer[]> {
  const last = events.at(-1);
  if (last === undefined || unknown.lookMs === null) throw unknown;
  const proof = { _id: eventKey(last), id: last.id };
  try {
    const rows = mongo.collection<EventRow>('events');
    const found = await readConfirmed(mongo, (options) => rows.findOne(proof, options), unknown.lookMs);
    if (found !== null) return offers === null ? [] : await listWithdrawn(mongo, after.id, offers.at);
  } catch (error) {
    throw isAway(error) ? unknown : error;
  }
  throw new Refusal('busy', { detail: NOT_MADE });
}

function listWithdrawn(mongo: Mongo, deliveryId: Offer['deliveryId'], closedAt: number): Promise<Offer[]> {
  const filter = { deliveryId, closedAt, state: 'withdrawn' as const };
  return mongo.collection<OfferRow>('offer_history').find<Offer>(filter, AS_OFFER).toArray();
}
