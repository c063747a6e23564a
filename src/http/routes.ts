import type { RouteRow } from './endpoint.ts';
import { API_KEYS } from './endpoints/access/api-keys.ts';
import { AUDIT } from './endpoints/access/audit.ts';
import { SESSIONS } from './endpoints/access/sessions.ts';
import { STAFF } from './endpoints/access/staff.ts';
import { ANALYTICS } from './endpoints/analytics/analytics.ts';
import { RATINGS } from './endpoints/analytics/ratings.ts';
import { AUTH } from './endpoints/access/auth.ts';
import { COURIERS } from './endpoints/couriers/couriers.ts';
import { DEVICES } from './endpoints/couriers/devices.ts';
import { COURIER_WORK } from './endpoints/couriers/courier-work.ts';
import { DOCUMENTS } from './endpoints/couriers/documents.ts';
import { EARNINGS } from './endpoints/couriers/earnings.ts';
import { REVIEWS } from './endpoints/couriers/kyc.ts';
import { DELIVERIES } from './endpoints/deliveries/deliveries.ts';
import { DISPATCH } from './endpoints/dispatch/dispatch.ts';
import { STOP_ACTIONS } from './endpoints/deliveries/stop-actions.ts';
import { DISPUTES } from './endpoints/disputes/disputes.ts';
import { EXPRESS } from './endpoints/deliveries/express.ts';
import { FILES } from './endpoints/files/files.ts';
import { HEALTH } from './endpoints/health.ts';
import { CALLBACKS } from './endpoints/wallets/callbacks.ts';
import { INVOICES } from './endpoints/billing/invoices.ts';
import { REFUNDS } from './endpoints/billing/refunds.ts';
import { TRANSACTIONS } from './endpoints/billing/transactions.ts';
import { PAYOUTS } from './endpoints/payouts/payouts.ts';
import { RECONCILIATIONS } from './endpoints/wallets/reconciliations.ts';
import { TOP_UP_REFUNDS } from './endpoints/wallets/top-up-refunds.ts';
import { ADJUSTMENTS } from './endpoints/wallets/adjustments.ts';
import { SUSPENSE } from './endpoints/wallets/suspense.ts';
import { SETTLEMENTS } from './endpoints/settlement/settlements.ts';
import { WALLETS } from './endpoints/wallets/wallets.ts';
import { PROOF } from './endpoints/proof/proof.ts';
import { READINESS } from './endpoints/deliveries/readiness.ts';
import { PROFILE, VENDORS } from './endpoints/vendors/accounts.ts';
import { COVERAGE } from './endpoints/vendors/coverage.ts';
import { HOURS } from './endpoints/vendors/hours.ts';
import { LOCATIONS } from './endpoints/vendors/locations.ts';
import { PRICING } from './endpoints/vendors/pricing.ts';
import { ORDERS } from './endpoints/vendors/orders.ts';
import { TESTING } from './endpoints/deliveries/testing.ts';
import { TRACKING } from './endpoints/deliveries/tracking.ts';
import { EVENTS } from './endpoints/webhooks/events.ts';
import { WEBHOOK } from './endpoints/webhooks/webhook.ts';
import { WEBHOOKS } from './endpoints/webhooks/webhooks.ts';
import { DOCS } from './pages/docs.ts';
import { PAGES } from './pages/pages.ts';

/** Every route of the server. */
export const ROUTES: readonly RouteRow[] = [
  ...EXPRESS,
  ...COURIERS,
  ...DISPATCH,
  ...COURIER_WORK,
  ...DEVICES,
  ...DOCUMENTS,
  ...REVIEWS,
  ...EARNINGS,
  ...WALLETS,
  ...TOP_UP_REFUNDS,
  ...SUSPENSE,
  ...ADJUSTMENTS,
  ...RECONCILIATIONS,
  ...PAYOUTS,
  ...CALLBACKS,
  ...TRANSACTIONS,
  ...INVOICES,
  ...SETTLEMENTS,
  ...REFUNDS,
  ...DISPUTES,
  ...DELIVERIES,
  ...STOP_ACTIONS,
  ...TRACKING,
  ...PROOF,
  ...TESTING,
  ...PROFILE,
  ...HOURS,
  ...LOCATIONS,
  ...COVERAGE,
  ...VENDORS,
  ...ORDERS,
  ...ANALYTICS,
  ...READINESS,
  ...PRICING,
  ...API_KEYS,
  ...RATINGS,
  ...WEBHOOKS,
  ...WEBHOOK,
  ...EVENTS,
  ...AUTH,
  ...SESSIONS,
  ...STAFF,
  ...AUDIT,
  ...FILES,
  ...HEALTH,
  ...PAGES,
  ...DOCS,
];
