import type { mongo } from 'mongoose';
import type { DeliveryId, OfferId } from '../../domain/ids.ts';
import type { Offer, OfferState } from '../../domain/offers/offer.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { type ClosedOfferRow, type OfferRow, OFFERS, OFFER_HISTORY } from './offer-shapes.ts';

/** Leaves out the fields that only the store needs. */
export const AS_OFFER = { projection: { _id: 0, endsOn: 0, counted: 0 } } as const;

/** The offer of a row of open offers, or null. */
export function offerOf(row: OfferRow | null): Offer | null {
  if (row === null) return null;
  const { _id, ...offer } = row;
  return offer;
}

/** How an offer ends. */
export type Ending = {
  readonly state: Exclude<OfferState, 'open'>;
  readonly reason: string | null;
  readonly at: number;
};

/** Finds an offer by its id, open or closed; null if it does not exist. */
export async function findOffer(mongo: Mongo, id: OfferId, options: mongo.FindOptions = {}): Promise<Offer | null> {
  const asOffer = { ...AS_OFFER, ...options };
  const open = await mongo.collection(OFFERS).findOne<Offer>({ _id: id }, asOffer);
  return open ?? mongo.collection(OFFER_HISTORY).findOne<Offer>({ _id: id }, asOffer);
}

/** The transaction in which offers are closed. The history keeps them until `ends`. */
type Closing = { readonly mongo: Mongo; readonly session: mongo.ClientSession; readonly ends: Date };

/** Finds the open offers of a delivery. */
export function findOpenOffers(mongo: Mongo, deliveryId: DeliveryId, session?: mongo.ClientSession): Promise<Offer[]> {
  const options = { projection: { _id: 0 }, ...(session === undefined ? {} : { session }) };
  return mongo.collection(OFFERS).find<Offer>({ deliveryId, state: 'open' }, options).toArray();
}

/** Moves an open offer to the history, inside a transaction. Returns null if it is not open. */
export async function closeOffer({ mongo, session, ends }: Closing, id: string, ending: Ending): Promise<Offer | null> {
  const open = await mongo.collection(OFFERS).findOneAndDelete({ _id: id, state: 'open' }, { session });
  if (open === null) return null;
  const { _id: _key, ...offer } = open;
  const closed = ended(offer, ending);
  await mongo.collection(OFFER_HISTORY).insertOne(closedRow(closed, ends), { session });
  return closed;
}

/** The document of a closed offer. The roll-ups still have to count it. */
export function closedRow(closed: Offer, ends: Date): ClosedOfferRow {
  return { _id: closed.id, ...closed, endsOn: ends, counted: 'due' };
}

/** The offer as the history stores it. */
export function ended(offer: Offer, { state, reason, at }: Ending): Offer {
  return { ...offer, state, reason, closedAt: at };
}
