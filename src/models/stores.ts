import type { Clock, Context } from '../ports.ts';
import { createAcceptanceStore } from './acceptance-store.ts';
import { createAlarmStore } from './alarm-store.ts';
import { createClaimStore } from './claim-store.ts';
import { createCommit } from './commit.ts';
import { createCourierStore } from './courier-store.ts';
import { createDeliveryStore } from './delivery-store.ts';
import { createEventLog } from './event-log.ts';
import { busyWhenAway, type Mongo } from './mongo.ts';
import { createOfferStore } from './offer-store.ts';
import { createPreparationStore } from './preparation-store.ts';
import { createQuoteStore } from './quote-store.ts';
import { createVendorStore } from './vendor-store.ts';

export type Stores = Pick<
  Context,
  | 'commit'
  | 'deliveries'
  | 'couriers'
  | 'vendors'
  | 'quotes'
  | 'claims'
  | 'offers'
  | 'alarms'
  | 'eventLog'
  | 'preparation'
  | 'acceptance'
>;

/** Everything that is kept in MongoDB about deliveries and who takes part in them. */
export function createStores(mongo: Mongo, clock: Clock): Stores {
  return {
    commit: createCommit(mongo, clock),
    deliveries: busyWhenAway(createDeliveryStore(mongo, clock)),
    couriers: busyWhenAway(createCourierStore(mongo, clock)),
    vendors: busyWhenAway(createVendorStore(mongo)),
    quotes: busyWhenAway(createQuoteStore(mongo)),
    claims: busyWhenAway(createClaimStore(mongo)),
    offers: busyWhenAway(createOfferStore(mongo, clock)),
    alarms: busyWhenAway(createAlarmStore(mongo, clock)),
    preparation: busyWhenAway(createPreparationStore(mongo, clock)),
    acceptance: busyWhenAway(createAcceptanceStore(mongo, clock)),
    eventLog: busyWhenAway(createEventLog(mongo, clock)),
  };
}
