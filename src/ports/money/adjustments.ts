/** Adjustments of wallets, as stored. */
import type { AuditEntry } from '../../domain/audit.ts';
import type { AdjustmentId, VendorId } from '../../domain/ids.ts';
import type { Command, LedgerResult } from '../../money/ledger/decide.ts';
import type { AdjustedMoney, Adjustment, AdjustmentState } from '../../money/wallets/adjustment.ts';
import type { Page, PageRequest } from '../pages.ts';

/** Filters of the list; a missing one means all. */
export type AdjustmentFilter = {
  readonly state?: AdjustmentState;
  readonly liveMode?: boolean;
  readonly vendorId?: VendorId;
};

export type AdjustmentStore = {
  /** Stores a new one with its audit entry. Returns false if an earlier try of the same request has stored it. */
  add(adjustment: Adjustment, entry: AuditEntry): Promise<boolean>;
  /** As a majority of the database has it. */
  find(id: AdjustmentId): Promise<Adjustment | null>;
  /**
   * Writes the next version with what it books and its audit entry. Returns false if it is stale. Refuses
   * `insufficient_funds` if the wallet has too little.
   */
  replace(next: Adjustment, command: Command | null, entry: AuditEntry): Promise<boolean>;
  /**
   * Carries out a command of an operator on the wallet of a vendor in this currency, as `Ledger.post` does. Refuses `busy` and
   * changes nothing if the vendor has left the currency.
   */
  post(
    wallet: Pick<AdjustedMoney, 'vendorId' | 'currency'>,
    command: Command,
    audit: AuditEntry,
  ): Promise<LedgerResult>;
  /** Newest first. */
  list(filter: AdjustmentFilter, page: PageRequest): Promise<Page<Adjustment>>;
};

export type AdjustmentPorts = { readonly adjustments: AdjustmentStore };
