/**
 * Puts the interfaces together. A use case takes `Pick<Context, …>`, so its signature shows what it can touch. Times are
 * service time in epoch ms unless the name says otherwise.
 */
import type { Settings } from '../settings.ts';
import type { Credentials, Signer } from './access.ts';
import type { ClaimStore, Commit, Confirmed } from './changes.ts';
import type { CourierStore, Roster } from './couriers.ts';
import type { DeliveryStore, EventLog, Links, QuoteStore } from './deliveries.ts';
import type { AlarmStore } from './due.ts';
import type { AcceptanceStore, PreparationStore, TravelTimes } from './learning.ts';
import type { Notices, OfferStore, Push } from './offers.ts';
import type { PositionIndex } from './positions.ts';
import type { AddressOf, Bell, Clock, Health, Leases, Log, Metrics } from './process.ts';
import type { DecisionStore } from './regions.ts';
import type { HintTurns, SurgeMap } from './surge.ts';
import type { VendorStore } from './vendors.ts';
import type { WebhookStore } from './webhooks.ts';

export type Context = {
  readonly settings: Settings;
  readonly addressOf: AddressOf;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly commit: Commit;
  readonly confirmed: Confirmed;
  readonly deliveries: DeliveryStore;
  readonly couriers: CourierStore;
  readonly roster: Roster;
  readonly vendors: VendorStore;
  readonly quotes: QuoteStore;
  readonly claims: ClaimStore;
  readonly offers: OfferStore;
  readonly alarms: AlarmStore;
  readonly preparation: PreparationStore;
  readonly acceptance: AcceptanceStore;
  readonly decisions: DecisionStore;
  readonly travel: TravelTimes;
  readonly surge: SurgeMap;
  readonly hintTurns: HintTurns;
  readonly eventLog: EventLog;
  readonly positions: PositionIndex;
  readonly leases: Leases;
  readonly bell: Bell;
  readonly notices: Notices;
  readonly push: Push;
  readonly credentials: Credentials;
  readonly links: Links;
  readonly signer: Signer;
  readonly webhooks: WebhookStore;
  readonly health: Health;
};
