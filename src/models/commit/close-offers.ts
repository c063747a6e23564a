import type { Offer } from '../../domain/offers/offer.ts';
import type { EffectOf } from '../../ports/changes.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { AS_OFFER, closedRow, ended, findOpenOffers } from '../offers/offer-rows.ts';
import { endsOn } from '../../engines/retention.ts';
import { transact } from '../../engines/transact.ts';
import type { Engine, Stale, Work } from './work.ts';
import { OFFERS, OFFER_HISTORY } from '../offers/offer-shapes.ts';

type Closing = EffectOf<'close_offers'>;

/** Moves the open offers of deliveries to the history. The result is stale if an accepted one is not among them. */
export async function closeOffers(work: Work, closings: readonly Closing[]): Promise<Stale | null> {
  for (const closing of closings) {
    const withdrawn = await closeAllOf(work, closing);
    if (withdrawn === null) return { why: 'stale' };
    work.withdrawn.push(...withdrawn);
  }
  return null;
}

/**
 * Withdraws offers that were opened during the transaction, which could not see them. A leader that opens an offer
 * reads the delivery afterwards, so one of the two sees the other.
 */
export async function withdrawLate(engine: Engine, closing: Closing): Promise<Offer[]> {
  const { mongo, clock } = engine;
  const { deliveryId } = closing;
  try {
    if ((await findOpenOffers(mongo, deliveryId)).length === 0) return [];
    const late = { ...closing, accepted: null };
    return (await transact(mongo, clock, (session) => closeAllOf({ ...engine, session }, late))) ?? [];
  } catch (error) {
    // The change is stored in any case. An offer that stays open cannot be accepted, and it expires.
    mongo.log.warn({ delivery: deliveryId, error }, 'late offers stay open until they expire');
    return [];
  }
}

/** Lists the offers that a stored change has withdrawn. */
export function listWithdrawn(mongo: Mongo, { deliveryId, at }: Closing): Promise<Offer[]> {
  const filter = { deliveryId, closedAt: at, state: 'withdrawn' as const };
  return mongo.collection(OFFER_HISTORY).find<Offer>(filter, AS_OFFER).toArray();
}

/** Closes the open offers of one delivery. Returns the withdrawn ones, or null if the accepted one is not open. */
async function closeAllOf(
  { mongo, clock, settings, session }: Omit<Work, 'withdrawn'>,
  { deliveryId, accepted, reason, at }: Closing,
): Promise<Offer[] | null> {
  const open = await findOpenOffers(mongo, deliveryId, session);
  if (accepted !== null && !open.some(({ id }) => id === accepted)) return null;
  if (open.length === 0) return [];
  const closed = open.map((offer) =>
    ended(offer, offer.id === accepted ? { state: 'accepted', reason: null, at } : { state: 'withdrawn', reason, at }),
  );
  await mongo.collection(OFFERS).deleteMany({ _id: { $in: closed.map(({ id }) => id) } }, { session });
  const ends = endsOn(clock, settings.retention.offersMs);
  const rows = closed.map((offer) => closedRow(offer, ends));
  await mongo.collection(OFFER_HISTORY).insertMany(rows, { session });
  return closed.filter(({ state }) => state === 'withdrawn');
}
