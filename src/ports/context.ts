/**
 * Puts the interfaces together. A use case takes `Pick<Context, …>`, so its signature shows what it can touch. Times are
 * service time in epoch ms unless the name says otherwise.
 */
import type { Settings } from '../settings.ts';
import type { AccessPorts } from './access.ts';
import type { AnalyticsPorts } from './analytics.ts';
import type { BillingPorts } from './money/billing.ts';
import type { ChangePorts } from './changes.ts';
import type { CourierPorts } from './couriers.ts';
import type { DeliveryPorts } from './deliveries.ts';
import type { DisputePorts } from './money/disputes.ts';
import type { DuePorts } from './dispatch/due.ts';
import type { EarningPorts } from './money/earnings.ts';
import type { FilePorts } from './files.ts';
import type { GatewayPorts } from './money/gateways.ts';
import type { LearningPorts } from './dispatch/learning.ts';
import type { LedgerPorts } from './ledger.ts';
import type { LimitPorts } from './limits.ts';
import type { OfferPorts } from './offers.ts';
import type { PayoutPorts } from './money/payouts.ts';
import type { PositionPorts } from './dispatch/positions.ts';
import type { ProcessPorts } from './process.ts';
import type { ReconciliationPorts } from './money/reconciliations.ts';
import type { RegionPorts } from './dispatch/regions.ts';
import type { RequestPorts } from './requests.ts';
import type { SandboxPorts } from './money/sandbox.ts';
import type { AdjustmentPorts } from './money/adjustments.ts';
import type { SuspensePorts } from './money/suspense.ts';
import type { SettlementPorts } from './money/settlements.ts';
import type { StreetPorts } from './dispatch/streets.ts';
import type { SurgePorts } from './dispatch/surge.ts';
import type { TopUpRefundPorts } from './money/top-up-refunds.ts';
import type { TopUpPorts } from './money/top-ups.ts';
import type { VendorPorts } from './vendors.ts';
import type { WebhookPorts } from './webhooks.ts';

export type Context = { readonly settings: Settings } & AccessPorts &
  AnalyticsPorts &
  BillingPorts &
  ChangePorts &
  CourierPorts &
  DeliveryPorts &
  DisputePorts &
  DuePorts &
  EarningPorts &
  FilePorts &
  GatewayPorts &
  LearningPorts &
  LedgerPorts &
  LimitPorts &
  OfferPorts &
  PayoutPorts &
  PositionPorts &
  ProcessPorts &
  ReconciliationPorts &
  RegionPorts &
  RequestPorts &
  SandboxPorts &
  SettlementPorts &
  StreetPorts &
  SurgePorts &
  SuspensePorts &
  AdjustmentPorts &
  TopUpPorts &
  TopUpRefundPorts &
  VendorPorts &
  WebhookPorts;
