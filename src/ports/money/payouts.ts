/** Payouts to couriers, as stored. */
import type { AuditEntry } from '../../domain/audit.ts';
import type { CourierId, PayoutId } from '../../domain/ids.ts';
import type { Command } from '../../money/ledger/decide.ts';
import type { OutgoingState } from '../../money/payouts/outgoing.ts';
import type { Payout, PayoutBatch, PayoutBatchId } from '../../money/payouts/payout.ts';
import type { GatewayMode } from '../../money/gateways.ts';
import type { Page, PageRequest } from '../pages.ts';
import type { PaidSpan } from './top-ups.ts';

/** Filters of the list of payouts; a missing one means all. */
export type PayoutFilter = {
  readonly batchId?: PayoutBatchId;
  readonly courierId?: CourierId;
  readonly state?: OutgoingState;
  readonly liveMode?: boolean;
};

/** A new payout with the entry that takes its money out of the earnings. */
export type PayoutBirth = { readonly payout: Payout; readonly command: Command };

export type PayoutStore = {
  /** Stores a batch with its audit entry. If it exists, returns it as it is stored and changes nothing. */
  addBatch(batch: PayoutBatch, entry: AuditEntry): Promise<PayoutBatch>;
  /** The batches whose payouts are not all made and that are not put off, the oldest first. */
  listOpenBatches(now: number, limit: number): Promise<readonly PayoutBatch[]>;
  /** Notes that the next page could not be made. The batch is tried again from `retryAt` on, service time in ms. */
  putOff(batch: PayoutBatch, retryAt: number): Promise<void>;
  /**
   * Makes the payouts of a page and books them, and notes where the batch continues. Returns false, and changes nothing, if
   * a courier has less by now or somebody else has made the page.
   * @param after the last courier of the page; null if it was the last page
   */
  makePage(batch: PayoutBatch, births: readonly PayoutBirth[], after: CourierId | null): Promise<boolean>;
  /** As a majority of the database has it. */
  find(id: PayoutId): Promise<Payout | null>;
  /** Writes the next version with what it books and its audit entry. Returns false if it is stale. */
  replace(next: Payout, command: Command | null, entry: AuditEntry | null): Promise<boolean>;
  /** Payouts of a gateway in one mode that are due, longest due first. */
  listDue(of: GatewayMode, before: number, limit: number): Promise<readonly Payout[]>;
  /** Payouts that are paid and whose last change was in a span, the oldest change first. */
  listPaid(of: PaidSpan, page: PageRequest): Promise<Page<Payout>>;
  /** Newest first. */
  list(filter: PayoutFilter, page: PageRequest): Promise<Page<Payout>>;
};

export type PayoutPorts = { readonly payouts: PayoutStore };
