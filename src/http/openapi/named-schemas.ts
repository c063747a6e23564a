import type { z } from 'zod';
import {
  AddressView,
  ContactView,
  CourierCard,
  DeliveryView,
  EtaView,
  ItemView,
  StopView,
  WindowView,
} from '../../domain/deliveries/delivery-view.ts';
import { EventActor } from '../../domain/deliveries/events.ts';
import { VerificationView } from '../../domain/proof/proof-view.ts';
import { CourierDelivery, CourierStop } from '../../domain/views/courier-delivery.ts';
import { ApiKeyView } from '../wire/access/api-key.ts';
import { StaffView } from '../wire/access/staff.ts';
import { BankAccountView } from '../wire/couriers/bank-account.ts';
import { InvoiceView } from '../wire/billing/invoice.ts';
import { RefundView } from '../wire/billing/refund.ts';
import { ChargeLineView, ChargeView, TransactionView } from '../wire/billing/transactions.ts';
import { CourierView } from '../wire/couriers/courier.ts';
import { EarningView } from '../wire/couriers/earning.ts';
import { DocumentDetails, DocumentView } from '../wire/couriers/document.ts';
import { ReviewDetails, ReviewView } from '../wire/couriers/kyc.ts';
import { CancelPreviewView } from '../wire/deliveries/cancel.ts';
import { NewDeliveryBody, NewQuoteBody } from '../wire/deliveries/delivery.ts';
import { DropOffBody, ItemBody } from '../wire/deliveries/delivery-stops.ts';
import { QuoteView, SubsidyView } from '../wire/deliveries/quote.ts';
import { TestBody } from '../wire/deliveries/test-specifications.ts';
import { LinkView, LiveLocationView } from '../wire/deliveries/tracking.ts';
import { UpdateBody } from '../wire/deliveries/update.ts';
import { DropOffVerificationBody, PickupVerificationBody } from '../wire/deliveries/verification.ts';
import { AddressBody, ContactBody, CoordinatesBody, WindowBody } from '../wire/place.ts';
import { PayoutBatchView, PayoutView } from '../wire/payouts/payout.ts';
import { DisputeView } from '../wire/disputes/dispute.ts';
import { ProblemView } from '../wire/problem.ts';
import { ProofView, StopProofView } from '../wire/proof/proof.ts';
import { ZoneView } from '../wire/vendors/coverage.ts';
import { HoursView } from '../wire/vendors/hours.ts';
import { LocationView } from '../wire/vendors/location.ts';
import { PricingRuleView } from '../wire/vendors/pricing-rule.ts';
import { SettlementPayoutView, SettlementView } from '../wire/settlement/settlement.ts';
import { VendorView } from '../wire/vendors/vendor.ts';
import { ReconciliationView } from '../wire/wallets/reconciliation.ts';
import { AdjustmentView } from '../wire/wallets/adjustment.ts';
import { SuspenseView } from '../wire/wallets/suspense.ts';
import { TopUpRefundView } from '../wire/wallets/top-up-refund.ts';
import { TopUpView } from '../wire/wallets/top-up.ts';
import { EventView } from '../wire/webhooks/event.ts';
import { WebhookView } from '../wire/webhooks/webhook.ts';

/**
 * The schemas with a name in the document, because several operations share them or because people speak of them. All
 * others are written where they are used. A name of something that callers send begins with `New` or ends with `Changes`.
 */
export const NAMED: readonly (readonly [string, z.ZodType])[] = [
  ['Delivery', DeliveryView],
  ['CourierDelivery', CourierDelivery],
  ['Stop', StopView],
  ['CourierStop', CourierStop],
  ['Address', AddressView],
  ['Contact', ContactView],
  ['Item', ItemView],
  ['TimeWindow', WindowView],
  ['Verification', VerificationView],
  ['ExpectedArrival', EtaView],
  ['CourierCard', CourierCard],
  ['EventActor', EventActor],
  ['NewDelivery', NewDeliveryBody],
  ['NewQuote', NewQuoteBody],
  ['DeliveryChanges', UpdateBody],
  ['NewDropOff', DropOffBody],
  ['NewAddress', AddressBody],
  ['NewContact', ContactBody],
  ['NewCoordinates', CoordinatesBody],
  ['NewItem', ItemBody],
  ['NewTimeWindow', WindowBody],
  ['NewPickupVerification', PickupVerificationBody],
  ['NewVerification', DropOffVerificationBody],
  ['NewTestSpecifications', TestBody],
  ['Quote', QuoteView],
  ['Subsidy', SubsidyView],
  ['CancelPreview', CancelPreviewView],
  ['TrackingLink', LinkView],
  ['LiveLocation', LiveLocationView],
  ['DeliveryProof', ProofView],
  ['Proof', StopProofView],
  ['Courier', CourierView],
  ['BankAccount', BankAccountView],
  ['Earning', EarningView],
  ['Payout', PayoutView],
  ['PayoutBatch', PayoutBatchView],
  ['TopUp', TopUpView],
  ['TopUpRefund', TopUpRefundView],
  ['Suspense', SuspenseView],
  ['Adjustment', AdjustmentView],
  ['Reconciliation', ReconciliationView],
  ['Document', DocumentView],
  ['DocumentDetails', DocumentDetails],
  ['DocumentReview', ReviewView],
  ['DocumentReviewDetails', ReviewDetails],
  ['Vendor', VendorView],
  ['VendorLocation', LocationView],
  ['VendorHours', HoursView],
  ['Zone', ZoneView],
  ['PricingRule', PricingRuleView],
  ['Invoice', InvoiceView],
  ['Settlement', SettlementView],
  ['SettlementPayout', SettlementPayoutView],
  ['Transaction', TransactionView],
  ['Charge', ChargeView],
  ['ChargeLine', ChargeLineView],
  ['Refund', RefundView],
  ['Dispute', DisputeView],
  ['ApiKey', ApiKeyView],
  ['Staff', StaffView],
  ['Event', EventView],
  ['Webhook', WebhookView],
  ['Problem', ProblemView],
];
