import { deliveriesIn, findDelivery } from '../deliveries/delivery-rows.ts';
import type { Confirmed } from '../../ports/changes.ts';
import { findCourier, findCourierByPhone } from '../couriers/courier-rows.ts';
import { findDocument } from '../couriers/document-store.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { readConfirmed } from '../../engines/read-confirmed.ts';
import { findOffer } from '../offers/offer-rows.ts';

/** Reads rows that no failover can roll back. */
export function createConfirmed(mongo: Mongo): Confirmed {
  const deliveries = deliveriesIn(mongo);
  return {
    findDelivery: (id) => readConfirmed(mongo, (options) => findDelivery(deliveries, { _id: id }, options)),
    findCourier: (id) => readConfirmed(mongo, (options) => findCourier(mongo, id, options)),
    findCourierByPhone: (phone, liveMode) =>
      readConfirmed(mongo, (options) => findCourierByPhone(mongo, phone, liveMode, options)),
    findDocument: (id) => readConfirmed(mongo, (options) => findDocument(mongo, id, options)),
    findOffer: (id) => readConfirmed(mongo, (options) => findOffer(mongo, id, options)),
  };
}
