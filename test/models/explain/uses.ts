import { DUTIES } from '../../../src/domain/deliveries/due.ts';
/** Calls of every method of every store, with ids that exist and with ids that do not. */
import { type CourierId, type DeliveryId, type OfferId, type VendorId, newId } from '../../../src/domain/ids.ts';
import type { Stores } from '../../../src/models/stores.ts';
import type { TravelStore } from '../../../src/models/learning/travel-store.ts';
import type { DecisionStore } from '../../../src/ports/dispatch/regions.ts';
import type { RequestStore } from '../../../src/ports/requests.ts';
import type { WebhookStore } from '../../../src/ports/webhooks.ts';
import { requestCalls } from './request-uses.ts';
import { aCourier, aLocation, anOffer, aVendor, NOON } from '../../builders.ts';
import { aDevice } from '../../process/push/house.ts';
import { CLOCK } from '../../engines/mongo-house.ts';
import { analyticsCalls } from './analytics-uses.ts';
import { auditCalls } from './audit-uses.ts';
import { COURIER_FILTERS } from './courier-rows.ts';
import { decisionCalls } from './decision-uses.ts';
import { documentCalls } from './document-uses.ts';
import { disputeCalls } from './dispute-uses.ts';
import { eventLogCalls } from './event-uses.ts';
import { invoiceCalls } from './invoice-uses.ts';
import { ledgerCalls, ledgerCheckCalls, transactionCalls } from './ledger-uses.ts';
import { bankAccountCalls, earningCalls, payoutCalls } from './payout-uses.ts';
import { pricingCalls } from './pricing-uses.ts';
import { tenantCalls } from './tenant-uses.ts';
import { settlementCalls } from './settlement-uses.ts';
import { topUpCalls } from './top-up-uses.ts';
import { webhookCalls } from './webhook-uses.ts';
import { turnPages, type Calls } from './calls.ts';
import { callsOfFiles } from '../files/a-file.ts';
import { REGISTRATIONS } from './rows.ts';
import { standingIn } from '../../../src/domain/couriers/courier.ts';
import { anEntry } from '../audit/an-entry.ts';

/** The ids for the calls. */
export type Subject = {
  readonly deliveryId: DeliveryId;
  readonly courierId: CourierId;
  readonly vendorId: VendorId;
  readonly offerId: OfferId;
  readonly region: string;
  readonly tokenHash: string;
};

export const ABSENT: Subject = {
  deliveryId: newId('del'),
  courierId: newId('cou'),
  vendorId: newId('ven'),
  offerId: newId('off'),
  region: 'nowhere',
  tokenHash: 'none',
};

const LIMIT = 20;
const CELL = '871f18032ffffff';
const first = { limit: LIMIT, after: null };

type AllStores = Omit<Stores, 'commit'> & {
  readonly webhooks: WebhookStore;
  readonly requests: RequestStore;
  readonly decisions: DecisionStore;
  readonly travel: TravelStore;
};

/** Calls of every method of every store, in a possible order. */
export function callsOf(
  stores: AllStores,
  subject: Subject,
): { readonly [Name in keyof AllStores]: Calls<AllStores[Name]> } {
  const { deliveries, couriers, vendors, claims, offers, alarms } = stores;
  const { deliveryId, courierId, vendorId, offerId, region, tokenHash } = subject;
  const ids = [deliveryId, newId('del')];
  const now = CLOCK.now();
  return {
    tenants: tenantCalls(stores, subject),
    polylines: { list: () => stores.polylines.list(deliveryId) },
    audit: auditCalls(stores.audit, vendorId, now),
    confirmed: {
      findDelivery: () => stores.confirmed.findDelivery(deliveryId),
      findCourier: () => stores.confirmed.findCourier(courierId),
      findCourierByPhone: () => stores.confirmed.findCourierByPhone('+4930123456', true),
      findDocument: () => stores.confirmed.findDocument('doc_7'),
      findOffer: () => stores.confirmed.findOffer(offerId),
    },
    deliveries: {
      get: () => deliveries.get(deliveryId),
      find: () => deliveries.find(deliveryId),
      findMany: () => deliveries.findMany(ids),
      findByLink: () => deliveries.findByLink(tokenHash),
      list: () => deliveries.list({ vendorId }, first),
      listSearching: () => deliveries.listSearching(region, LIMIT),
      listLongSearched: async () => {
        for (const mode of [{}, { liveMode: true }, { liveMode: false }]) {
          for (const countingSince of [now, 0]) {
            await turnPages((after) =>
              deliveries.listLongSearched({ ...mode, countingSince }, { limit: LIMIT, after }),
            );
          }
        }
      },
      regionsSearching: () => deliveries.regionsSearching(),
      listDue: async () => {
        for (const duty of DUTIES) await deliveries.listDue(duty, LIMIT);
      },
      putOff: async () => {
        for (const duty of DUTIES) {
          const [due] = await deliveries.listDue(duty, 1);
          if (due !== undefined) await deliveries.putOff(duty, due, now + 1000);
        }
      },
      listRobo: () => deliveries.listRobo(LIMIT),
      nextRoboAt: () => deliveries.nextRoboAt(),
      listChangedSince: async () => {
        for (const since of [0, now + 1000]) await deliveries.listChangedSince(since, LIMIT);
      },
      listOpenSince: async () => {
        for (const owner of [{}, { vendorId }, { liveMode: true }, { vendorId, liveMode: false }]) {
          for (const since of [0, now + 1000]) await deliveries.listOpenSince(since, owner, LIMIT);
        }
      },
    },
    couriers: {
      get: () => couriers.get(courierId),
      find: () => couriers.find(courierId),
      findMany: () => couriers.findMany([courierId]),
      findByPhone: () => couriers.findByPhone('+4930123456', true),
      add: () => couriers.add(aCourier(), anEntry()),
      setStanding: () =>
        couriers.setStanding({ id: courierId, version: 1 }, standingIn(aCourier(), 'active'), anEntry()),
      setAvailability: () => couriers.setAvailability({ id: courierId, version: 2 }, 'online', now, anEntry()),
      update: async () => {
        const courier = await couriers.find(courierId);
        if (courier !== null) await couriers.update(courier, { ...courier, phone: '+4930777777' }, null);
      },
      list: async () => {
        for (const filter of COURIER_FILTERS) {
          await turnPages((after) => couriers.list(filter, { limit: LIMIT, after }));
        }
      },
      listOnline: () => couriers.listOnline([courierId]),
    },
    devices: {
      register: () => stores.devices.register(aDevice({ courierId })),
      listOf: () => stores.devices.listOf(courierId),
      remove: () => stores.devices.remove(courierId, newId('dev'), null),
      removeOfSessions: () => stores.devices.removeOfSessions([newId('ses')]),
    },
    bankAccounts: bankAccountCalls(stores.bankAccounts, courierId),
    documents: documentCalls(stores.documents, courierId, now),
    roster: {
      refresh: () => stores.roster.refresh(),
      isWhole: () => stores.roster.isWhole(),
      know: () => stores.roster.know([courierId]),
      find: () => stores.roster.find(courierId),
      courierOf: () => stores.roster.courierOf(deliveryId),
      ofKind: () => stores.roster.ofKind(aCourier()),
    },
    vendors: {
      get: () => vendors.get(vendorId),
      find: () => vendors.find(vendorId),
      findMany: () => vendors.findMany([vendorId, newId('ven')]),
      findZones: () => vendors.findZones([newId('loc'), newId('loc')]),
      add: () => vendors.add(aVendor({ id: vendorId })),
      replace: () => vendors.replace(aVendor({ id: vendorId, currency: 'USD' }), 1),
      list: () => vendors.list({ limit: 20, after: { at: now, id: vendorId } }),
      findLocation: () => vendors.findLocation(newId('loc')),
      addLocation: () => vendors.addLocation(aLocation()),
      replaceLocation: () => vendors.replaceLocation(aLocation(), 2),
      listLocations: () => vendors.listLocations(vendorId, { limit: 20, after: null }),
    },
    ...pricingCalls(stores, vendorId, now),
    claims: { find: () => claims.find('fact:7') },
    offers: {
      open: () => offers.open(anOffer({ deliveryId, courierId })),
      find: () => offers.find(offerId),
      findOpenOf: () => offers.findOpenOf(courierId),
      listOpen: () => offers.listOpen(ids),
      listOpenIn: () => offers.listOpenIn(region),
      listClosed: () => offers.listClosed(ids, NOON),
      countClosed: () => offers.countClosed(ids),
      markDelivered: () => offers.markDelivered(offerId, now),
      listExpired: () => offers.listExpired(now, LIMIT),
      close: () => offers.close(offerId, 'declined', null, now),
    },
    alarms: {
      raise: () =>
        alarms.raise({
          id: newId('alm'),
          kind: 'late',
          deliveryId,
          courierId: null,
          cell: '87',
          since: now,
          clearedAt: null,
          detail: '',
        }),
      findOpen: () => alarms.findOpen('late', ids),
      listOpen: () => turnPages((after) => alarms.listOpen({ limit: LIMIT, after })),
      clear: () => alarms.clear(deliveryId),
    },
    eventLog: eventLogCalls(stores.eventLog, vendorId, deliveryId, now),
    files: callsOfFiles(stores.files, LIMIT),
    ...analyticsCalls(stores, subject),
    preparation: {
      findMany: () => stores.preparation.findMany([{ vendorId, liveMode: true, cell: '8b', hour: 7 }]),
      record: () => {
        const sample = { vendorId, liveMode: true, cell: '8b', hour: 7, ms: 60_000, isBound: false };
        return stores.preparation.record([sample], { quantile: 0.6, memory: 60 });
      },
    },
    acceptance: {
      estimates: () => stores.acceptance.estimates([courierId]),
      record: () => stores.acceptance.record(anOffer({ state: 'declined', closedAt: now, deliveredAt: now })),
    },
    webhooks: webhookCalls(stores.webhooks, vendorId, REGISTRATIONS[4] ?? newId('whk'), now),
    requests: requestCalls(stores.requests),
    decisions: decisionCalls(stores.decisions, deliveryId),
    ...payoutCalls(stores, courierId),
    disputes: disputeCalls(stores.disputes),
    earnings: earningCalls(stores.earnings, courierId),
    ledger: ledgerCalls(stores.ledger),
    ledgerChecks: ledgerCheckCalls(stores.ledgerChecks),
    ...topUpCalls(stores, vendorId),
    transactions: transactionCalls(stores.transactions, vendorId),
    invoices: invoiceCalls(stores.invoices),
    settlements: settlementCalls(stores.settlements, vendorId),
    travel: {
      record: () => {
        const leg = { hour: 7, vehicle: 'scooter', liveMode: true, metres: 900, seconds: 200 } as const;
        return stores.travel.record([{ cell: CELL, ...leg }]);
      },
      load: () => stores.travel.load([{ cell: CELL, liveMode: true }], 0),
    },
  };
}
