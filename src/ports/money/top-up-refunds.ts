/** Refunds of top-ups, as stored. */
import type { AuditEntry } from '../../domain/audit.ts';
import type { TopUpId, TopUpRefundId } from '../../domain/ids.ts';
import type { Command } from '../../money/ledger/decide.ts';
import type { TopUpRefund, TopUpRefundState } from '../../money/top-ups/top-up-refund.ts';
import type { GatewayMode } from '../../money/gateways.ts';
import type { TopUp } from '../../money/top-ups/top-up.ts';
import type { Page, PageRequest } from '../pages.ts';

/** Filters of the list of refunds; a missing one means all. */
export type TopUpRefundFilter = {
  readonly topUpId?: TopUpId;
  readonly state?: TopUpRefundState;
  readonly liveMode?: boolean;
};

/** A refund, with the entry that takes its money out of the wallet and its audit entry. `births` is null if it exists. */
export type PlannedRefund = {
  readonly refund: TopUpRefund;
  readonly births: { readonly command: Command; readonly entry: AuditEntry } | null;
};

export type TopUpRefundStore = {
  /**
   * Plans a refund of a top-up from all that it has, and stores and books it. Refunds of a vendor are planned one after the
   * other, even if many are asked for at once. Returns null if the wallet has less, and changes nothing.
   */
  add(topUp: TopUp, plan: (known: readonly TopUpRefund[]) => PlannedRefund): Promise<TopUpRefund | null>;
  /** As a majority of the database has it. */
  find(id: TopUpRefundId): Promise<TopUpRefund | null>;
  /** Writes the next version with what it books and its audit entry. Returns false if it is stale. */
  replace(next: TopUpRefund, command: Command | null, entry: AuditEntry | null): Promise<boolean>;
  /** As `replace`, for an end by a person. If the refund has failed, its top-up is due for a look from then on. */
  resolve(next: TopUpRefund, command: Command | null, entry: AuditEntry | null): Promise<boolean>;
  /** Refunds of a gateway in one mode that are due, longest due first. */
  listDue(of: GatewayMode, before: number, limit: number): Promise<readonly TopUpRefund[]>;
  /** Newest first. */
  list(filter: TopUpRefundFilter, page: PageRequest): Promise<Page<TopUpRefund>>;
};

export type TopUpRefundPorts = { readonly topUpRefunds: TopUpRefundStore };
