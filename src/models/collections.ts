import type { AnyShape } from '../engines/shapes/shape.ts';
import { ONE_TIME_CODES, SESSIONS, STAFF, VENDOR_KEYS } from './access/credential-shapes.ts';
import { AUDIT, AUDIT_CHAIN } from './audit-shapes.ts';
import { RATINGS, ROLL_UPS } from './analytics/roll-up-shapes.ts';
import { CLAIMS } from './claim-shape.ts';
import { BANK_ACCOUNTS } from './couriers/bank-account-store.ts';
import { DEVICES } from './couriers/device-store.ts';
import { DISPUTES } from './disputes/dispute-shapes.ts';
import { DOCUMENTS } from './couriers/document-store.ts';
import { COURIERS } from './couriers/courier-rows.ts';
import { DELIVERIES } from './deliveries/delivery-shape.ts';
import { EVENTS_LOG } from './deliveries/events/event-rows.ts';
import { POLYLINES } from './deliveries/polyline-shape.ts';
import { QUOTES } from './deliveries/quote-shape.ts';
import { ALARMS } from './due/alarm-shape.ts';
import { BUCKET_CHUNKS, BUCKET_FILES, FILES } from './files/file-shapes.ts';
import { ACCOUNTS, ENTRIES, HOLDS, SEALS, TOTALS } from './ledger/ledger-shapes.ts';
import { BILLING_ACCOUNTS, INVOICES, SERIES } from './billing/invoice-shapes.ts';
import { ACCEPTANCE, PREPARATION, TRAVEL } from './learning/learning-shapes.ts';
import { OFFER_HISTORY, OFFERS, REGIONS } from './offers/offer-shapes.ts';
import { PAYOUT_BATCHES, PAYOUTS } from './ledger/payout-shapes.ts';
import { ADJUSTMENTS } from './ledger/wallets/adjustment-store.ts';
import { SUSPENSE } from './ledger/wallets/suspense-store.ts';
import { RECONCILIATIONS } from './reconcile/reconciliation-store.ts';
import { RULE_BOOKS } from './pricing/rule-book-shape.ts';
import { DECISIONS, DISPATCH_RUNS } from './regions/decision-shapes.ts';
import { REQUESTS } from './request-shape.ts';
import { SANDBOX_TRANSFERS } from './sandbox/sandbox-transfer-store.ts';
import { SANDBOX_PAYMENTS } from './sandbox/sandbox-shape.ts';
import { SECRETS_KEPT } from './secrets/secret-shape.ts';
import { SETTINGS } from './setting-shapes.ts';
import { SETTLEMENT_ACCOUNTS, SETTLEMENTS } from './ledger/settlement/settlement-shapes.ts';
import { TOP_UP_REFUNDS } from './ledger/wallets/top-up-refund-store.ts';
import { TOP_UPS } from './ledger/wallets/top-up-shape.ts';
import { LOCATIONS, VENDORS } from './vendors/vendor-shapes.ts';
import { ATTEMPTS, REGISTRATIONS } from './webhooks/webhook-shapes.ts';

/**
 * The version of all shapes together. A release that changes any of them raises it by one. So a process of the previous
 * release does not restore its own validators.
 */
export const SHAPES_VERSION = 39;

/**
 * Every collection. The server creates them before its first request. Only collections without shards have unique
 * indexes. A value that must be unique across shards is the `_id` of a row of `claims`.
 */
export const COLLECTIONS: readonly AnyShape[] = [
  DELIVERIES,
  EVENTS_LOG,
  CLAIMS,
  COURIERS,
  BANK_ACCOUNTS,
  PAYOUTS,
  PAYOUT_BATCHES,
  SETTLEMENTS,
  SETTLEMENT_ACCOUNTS,
  SANDBOX_TRANSFERS,
  DEVICES,
  DOCUMENTS,
  VENDORS,
  LOCATIONS,
  QUOTES,
  POLYLINES,
  RULE_BOOKS,
  OFFERS,
  OFFER_HISTORY,
  REGIONS,
  PREPARATION,
  ACCEPTANCE,
  DISPATCH_RUNS,
  DECISIONS,
  TRAVEL,
  ROLL_UPS,
  RATINGS,
  ALARMS,
  SETTINGS,
  SECRETS_KEPT,
  VENDOR_KEYS,
  STAFF,
  SESSIONS,
  ONE_TIME_CODES,
  REGISTRATIONS,
  ATTEMPTS,
  AUDIT,
  AUDIT_CHAIN,
  ACCOUNTS,
  ENTRIES,
  HOLDS,
  SEALS,
  TOTALS,
  INVOICES,
  BILLING_ACCOUNTS,
  SERIES,
  DISPUTES,
  TOP_UPS,
  SUSPENSE,
  TOP_UP_REFUNDS,
  ADJUSTMENTS,
  RECONCILIATIONS,
  SANDBOX_PAYMENTS,
  FILES,
  BUCKET_FILES,
  BUCKET_CHUNKS,
  REQUESTS,
];
