import type { Roster } from '../ports/couriers.ts';
import type { Commit } from '../ports/changes.ts';
import type { Context } from '../ports/context.ts';
import type { Clock } from '../ports/process.ts';
import { createRatingStore } from './analytics/rating-store.ts';
import { createRebuild } from './analytics/rebuild.ts';
import { createRollUpStore } from './roll-up-store.ts';
import { createAcceptanceStore } from './learning/acceptance-store.ts';
import { createAlarmStore } from './due/alarm-store.ts';
import { busyWhenAway } from '../engines/away.ts';
import { auditChanges } from './commit/audit-changes.ts';
import { createAuditLog } from './audit/audit-log.ts';
import { createClaimStore } from './claim-store.ts';
import { createCommit } from './commit/commit.ts';
import { createConfirmed } from './commit/confirmed.ts';
import { createBankAccountStore } from './couriers/bank-account-store.ts';
import { createCourierStore } from './couriers/courier-store.ts';
import { createDeviceStore } from './couriers/device-store.ts';
import { createDisputeStore } from './disputes/dispute-store.ts';
import { createDocumentStore } from './couriers/document-store.ts';
import { createRoster, type KeptRoster } from './couriers/courier-roster.ts';
import { hasDeliveryIn } from './deliveries/delivery-lists.ts';
import { createDeliveryStore } from './deliveries/delivery-store.ts';
import { readEnded } from './deliveries/ended-deliveries.ts';
import { createEventLog } from './deliveries/events/event-log.ts';
import { createFileStore } from './files/file-store.ts';
import { createGridFsBytes } from './files/gridfs-bytes.ts';
import { createInvoiceStore } from './billing/invoice-store.ts';
import { createTransactionStore } from './ledger/transaction-store.ts';
import { createEarningStore } from './ledger/earning-store.ts';
import { createLedgerChecks } from './ledger/check-store.ts';
import { createLedger } from './ledger/ledger-store.ts';
import type { Mongo } from '../engines/mongo.ts';
import { createFinds } from '../engines/together.ts';
import { createOfferStore } from './offers/offer-store.ts';
import { createPreparationStore } from './learning/preparation-store.ts';
import { createPolylineStore } from './deliveries/polyline-store.ts';
import { createQuoteStore } from './deliveries/quote-store.ts';
import { createPayoutStore } from './ledger/payout-store.ts';
import { createTopUpRefundStore } from './ledger/wallets/top-up-refund-store.ts';
import { createAdjustmentStore } from './ledger/wallets/adjustment-store.ts';
import { createRefuseUsedWallets } from './ledger/wallets/refuse-used-wallets.ts';
import { createSuspenseStore } from './ledger/wallets/suspense-store.ts';
import { createReconciliationStore } from './reconcile/reconciliation-store.ts';
import { createRuleBookStore } from './pricing/rule-book-store.ts';
import { createSandboxTransferStore } from './sandbox/sandbox-transfer-store.ts';
import { createSandboxStore } from './sandbox/sandbox-store.ts';
import { createTopUpStore } from './ledger/wallets/top-up-store.ts';
import { createRefuseLeftCurrency } from './vendors/refuse-left-currency.ts';
import { createVendorStore } from './vendors/vendor-store.ts';
import { createSettlementStore } from './ledger/settlement/settlement-store.ts';
import type { Settings } from '../settings.ts';
import { withinTenant } from '../engines/tenants/tenants.ts';
import { effectsIn } from './commit/effects.ts';

/** All stores for deliveries and their participants, in MongoDB. `bytes` keeps the content of files. */
export function createStores(mongo: Mongo, clock: Clock, settings: Settings, bytes = createGridFsBytes(mongo)) {
  const roster = createRoster(mongo, clock);
  const finds = createFinds(clock);
  const refuseLeft = createRefuseLeftCurrency(mongo);
  const audit = createAuditLog(mongo, clock);
  const commit = tellRoster(createCommit(mongo, clock, settings), roster);
  return {
    tenants: { within: withinTenant },
    audit: busyWhenAway(audit),
    commit: auditChanges(commit, audit),
    confirmed: busyWhenAway(createConfirmed(mongo)),
    deliveries: busyWhenAway(createDeliveryStore(mongo, clock)),
    couriers: busyWhenAway(createCourierStore(mongo, clock, { finds, onChange: roster.doubt })),
    bankAccounts: busyWhenAway(createBankAccountStore(mongo, clock)),
    devices: busyWhenAway(createDeviceStore(mongo, clock, settings)),
    documents: busyWhenAway(createDocumentStore(mongo, clock)),
    roster: busyWhenAway<Roster>(roster),
    vendors: busyWhenAway(createVendorStore(mongo, clock, finds, createRefuseUsedWallets(mongo, hasDeliveryIn))),
    ruleBooks: busyWhenAway(createRuleBookStore(mongo, clock, finds)),
    quotes: busyWhenAway(createQuoteStore(mongo, clock, settings)),
    polylines: busyWhenAway(createPolylineStore(mongo)),
    claims: busyWhenAway(createClaimStore(mongo)),
    offers: busyWhenAway(createOfferStore(mongo, clock, { ...settings, finds })),
    alarms: busyWhenAway(createAlarmStore(mongo, clock, settings)),
    preparation: busyWhenAway(createPreparationStore(mongo, clock)),
    acceptance: busyWhenAway(createAcceptanceStore(mongo, clock)),
    eventLog: busyWhenAway(createEventLog(mongo, clock)),
    files: busyWhenAway(createFileStore(mongo, clock, bytes)),
    rollUps: busyWhenAway(createRollUpStore(mongo, clock)),
    rebuild: busyWhenAway(createRebuild(mongo, clock, readEnded)),
    ratings: busyWhenAway(createRatingStore(mongo)),
    ledger: busyWhenAway(createLedger(mongo, clock)),
    ledgerChecks: busyWhenAway(createLedgerChecks(mongo)),
    topUps: busyWhenAway(createTopUpStore(mongo, clock, settings, refuseLeft)),
    sandbox: busyWhenAway(createSandboxStore(mongo, clock, settings)),
    transactions: busyWhenAway(createTransactionStore(mongo)),
    payouts: busyWhenAway(createPayoutStore(mongo, clock)),
    reconciliations: busyWhenAway(createReconciliationStore(mongo)),
    topUpRefunds: busyWhenAway(createTopUpRefundStore(mongo, clock)),
    suspense: busyWhenAway(createSuspenseStore(mongo, clock, settings, refuseLeft)),
    adjustments: busyWhenAway(createAdjustmentStore(mongo, clock, refuseLeft)),
    settlements: busyWhenAway(createSettlementStore(mongo, clock)),
    sandboxTransfers: busyWhenAway(createSandboxTransferStore(mongo, clock, settings)),
    disputes: busyWhenAway(createDisputeStore(mongo, clock)),
    earnings: busyWhenAway(createEarningStore(mongo)),
    invoices: busyWhenAway(createInvoiceStore(mongo, clock)),
  } satisfies Partial<Context>;
}

export type Stores = ReturnType<typeof createStores>;

/** The same commit. It also marks the couriers of each change as outdated in this process's roster. */
function tellRoster(commit: Commit, { doubt }: KeptRoster): Commit {
  return async (change) => {
    const result = await commit(change);
    for (const effect of effectsIn(change)) if ('courierId' in effect) doubt(effect.courierId);
    return result;
  };
}
