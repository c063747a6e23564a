import { deliveriesIn } from '../deliveries/delivery-rows.ts';
import type { mongo } from 'mongoose';
import type { DeliveryId } from '../../domain/ids.ts';
import { PAUSE_MS, type ClosedState, type Offer, type OfferState, type OfferTries } from '../../domain/offers/offer.ts';
import type { OfferStore } from '../../ports/offers.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import { MAY_TAKE, COURIERS } from '../couriers/courier-rows.ts';
import { isAny } from '../../engines/is-any.ts';
import { isDuplicateKey, type Mongo } from '../../engines/mongo.ts';
import { AS_OFFER, closeOffer, findOffer, offerOf } from './offer-rows.ts';
import { endsOn } from '../../engines/retention.ts';
import type { Finds } from '../../engines/together.ts';
import { transact } from '../../engines/transact.ts';
import { type ClosedOfferRow, OFFERS, OFFER_HISTORY, REGIONS } from './offer-shapes.ts';

const NO_TRIES: OfferTries['counts'] = { accepted: 0, declined: 0, expired: 0, withdrawn: 0 };
const REPLACED =
  'an offer was refused because its region has a newer leader; if no other process leads it, the clock of Redis went ' +
  'back, and offers continue when it has passed the newest number (microseconds of the epoch)';
const PAUSING = Object.keys(PAUSE_MS) as OfferState[];

/** Stores offers: open ones in a small collection with unique indexes, and closed ones in the history. */
export function createOfferStore(
  mongo: Mongo,
  clock: Clock,
  { finds, retention }: Pick<Settings, 'retention'> & { readonly finds: Finds },
): OfferStore {
  const open = mongo.collection(OFFERS);
  const history = mongo.collection(OFFER_HISTORY);
  const isNewest = fences(mongo);
  // Each phone that connects asks for it, and many connect at once.
  const findOpen = finds(open, { field: 'courierId', among: { state: 'open' } });
  return {
    open: (offer) => openOffer(mongo, clock, isNewest, offer),
    find: (id) => findOffer(mongo, id),
    findOpenOf: async (courierId) => offerOf(await findOpen(courierId)),
    listOpen: (deliveryIds) => open.find<Offer>({ deliveryId: { $in: [...deliveryIds] } }, AS_OFFER).toArray(),
    listOpenIn: (region) => open.find<Offer>({ region }, AS_OFFER).toArray(),
    listClosed: (deliveryIds, since) =>
      history
        .find<Offer>(
          { deliveryId: { $in: [...deliveryIds] }, closedAt: { $gte: since }, state: { $in: PAUSING } },
          AS_OFFER,
        )
        .toArray(),
    countClosed: (deliveryIds) => countClosed(history, deliveryIds),
    close: (id, state, reason, at) =>
      transact(mongo, clock, (session) =>
        closeOffer({ mongo, session, ends: endsOn(clock, retention.offersMs) }, id, { state, reason, at }),
      ),
    listExpired: async (now, limit) => {
      const isExpired = { expiresAt: { $lte: now } };
      if (!(await isAny(mongo, clock, OFFERS, isExpired))) return [];
      return open.find<Offer>(isExpired, AS_OFFER).sort({ expiresAt: 1 }).limit(limit).toArray();
    },
    markDelivered: async (id, at) =>
      void (await open.updateOne({ _id: id, deliveredAt: null }, { $set: { deliveredAt: at } })),
  };
}

type Count = {
  readonly _id: { readonly deliveryId: DeliveryId; readonly state: ClosedState };
  readonly count: number;
  readonly last: OfferTries['last'];
};

async function countClosed(
  history: mongo.Collection<ClosedOfferRow>,
  deliveryIds: readonly DeliveryId[],
): Promise<ReadonlyMap<DeliveryId, OfferTries>> {
  const tries = new Map<DeliveryId, OfferTries>();
  if (deliveryIds.length === 0) return tries;
  const last = { state: '$state', reason: '$reason', closedAt: '$closedAt' };
  const counted = await history
    .aggregate<Count>([
      { $match: { deliveryId: { $in: [...deliveryIds] } } },
      {
        $group: {
          _id: { deliveryId: '$deliveryId', state: '$state' },
          count: { $sum: 1 },
          last: { $top: { sortBy: { closedAt: -1, _id: -1 }, output: last } },
        },
      },
      { $sort: { 'last.closedAt': 1 } },
    ])
    .toArray();
  for (const { _id, count, last: lastOfState } of counted) {
    const counts = tries.get(_id.deliveryId)?.counts ?? NO_TRIES;
    tries.set(_id.deliveryId, { counts: { ...counts, [_id.state]: count }, last: lastOfState });
  }
  return tries;
}

type IsNewest = (offer: Offer) => Promise<boolean>;

async function openOffer(mongo: Mongo, clock: Clock, isNewest: IsNewest, offer: Offer): Promise<boolean> {
  if (!(await isNewest(offer))) return false;
  const offers = mongo.collection(OFFERS);
  try {
    await offers.insertOne({ _id: offer.id, ...offer });
  } catch (error) {
    // A unique index shows that the courier or the delivery already has an open offer.
    if (isDuplicateKey(error)) return false;
    throw error;
  }
  const isSound = await Promise.all([isSearchedFor(mongo, clock, offer), isFree(mongo, offer), isNewest(offer)]);
  if (isSound.every(Boolean)) return true;
  // The delivery or the courier changed after the leader read them, or a newer leader began. A change of either looks
  // for open offers afterwards, so one of the two sees the other. If a phone shows the offer already, a newer leader has
  // taken it over and judges it in each of its runs.
  await offers.deleteOne({ _id: offer.id, deliveredAt: null });
  return false;
}

async function isSearchedFor(mongo: Mongo, clock: Clock, offer: Offer): Promise<boolean> {
  const { deliveryId: _id, deliveryVersion: version } = offer;
  const asRead = { _id, version, state: 'searching' as const, searchFromAt: { $lte: clock.now() } };
  return (await deliveriesIn(mongo).countDocuments(asRead)) > 0;
}

async function isFree(mongo: Mongo, { courierId }: Offer): Promise<boolean> {
  const free = { _id: courierId, availability: 'online' as const, ...MAY_TAKE };
  return (await mongo.collection(COURIERS).countDocuments(free)) > 0;
}

/**
 * Says whether the offer's leader is the newest known one of its region, and stores its number. The log reports each
 * refused leader once. Usually it was frozen. If it does lead, its number comes from a clock that went back.
 */
function fences(mongo: Mongo): IsNewest {
  const told = new Map<string, number>();
  return async ({ region, fence }) => {
    const row = await mongo
      .collection(REGIONS)
      .findOneAndUpdate({ _id: region }, { $max: { fence } }, { upsert: true, returnDocument: 'after' });
    if (row === null || row.fence <= fence) return true;
    if (told.get(region) !== fence) {
      told.set(region, fence);
      mongo.log.warn({ region, fence, newest: row.fence }, REPLACED);
    }
    return false;
  };
}
