/** Comparisons of gateways with the ledger, as stored. */
import type { Reconciliation, ReconciliationId } from '../../money/reconcile/reconciliation.ts';
import type { Page, PageRequest } from '../pages.ts';

/** Filters of the list; a missing one means all. */
export type ReconciliationFilter = { readonly isClean?: boolean };

export type ReconciliationStore = {
  find(id: ReconciliationId): Promise<Reconciliation | null>;
  /** Stores a run. It replaces the one before. */
  put(reconciliation: Reconciliation): Promise<void>;
  /** The latest date first. */
  list(filter: ReconciliationFilter, page: PageRequest): Promise<Page<Reconciliation>>;
};

export type ReconciliationPorts = { readonly reconciliations: ReconciliationStore };
