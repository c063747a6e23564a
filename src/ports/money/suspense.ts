/** Money in suspense, as stored. */
import type { AuditEntry } from '../../domain/audit.ts';
import type { SuspenseId } from '../../domain/ids.ts';
import type { Command } from '../../money/ledger/decide.ts';
import type { Suspense, SuspenseState } from '../../money/suspense/suspense.ts';
import type { Page, PageRequest } from '../pages.ts';

/** Filters of the list; a missing one means all. */
export type SuspenseFilter = { readonly state?: SuspenseState; readonly liveMode?: boolean };

export type SuspenseStore = {
  /** Stores money that has arrived, and books it. Returns false if the money of this payment is stored already. */
  add(suspense: Suspense, command: Command): Promise<boolean>;
  /** As a majority of the database has it. */
  find(id: SuspenseId): Promise<Suspense | null>;
  /**
   * Writes the next version with what it books and its audit entry. If it is credited, the gateway is asked about its top-up
   * again. Returns false if it is stale.
   */
  replace(next: Suspense, command: Command | null, entry: AuditEntry | null): Promise<boolean>;
  /** Rows about which the server must complain: those of live mode first, and of each mode the longest due first. */
  listDue(before: number, limit: number): Promise<readonly Suspense[]>;
  /** Newest first. */
  list(filter: SuspenseFilter, page: PageRequest): Promise<Page<Suspense>>;
};

export type SuspensePorts = { readonly suspense: SuspenseStore };
