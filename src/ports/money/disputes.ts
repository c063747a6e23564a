/** Disputes of vendors about charges, as stored. */
import type { AuditEntry } from '../../domain/audit.ts';
import type { DeliveryId, DisputeId, VendorId } from '../../domain/ids.ts';
import type { Dispute, DisputeState } from '../../money/disputes/dispute.ts';
import type { Command } from '../../money/ledger/decide.ts';
import type { Page, PageRequest } from '../pages.ts';

/** Filters of the list of disputes; a missing one means all. A vendor is named with its mode. */
export type DisputeFilter = {
  readonly vendorId?: VendorId;
  readonly liveMode?: boolean;
  readonly deliveryId?: DeliveryId;
  readonly state?: DisputeState;
};

/** How many disputes a vendor may have open in a mode, and how many it may raise from an instant on. */
export type DisputeLimits = { readonly mostOpen: number; readonly mostSince: number; readonly since: number };

/** The result of a new dispute. A dispute that the same request has stored before is returned. */
export type Raised =
  | { readonly ok: true; readonly dispute: Dispute }
  | { readonly ok: false; readonly why: 'open'; readonly openId: DisputeId }
  | { readonly ok: false; readonly why: 'too_many_open' | 'too_many_since' };

export type DisputeStore = {
  /**
   * Stores a new dispute with what it books and its audit entry, one at a time for each vendor and mode. Stores nothing
   * if the delivery has an open one or the vendor has too many. A dispute that is stored already is returned.
   */
  add(dispute: Dispute, command: Command, entry: AuditEntry, limits: DisputeLimits): Promise<Raised>;
  /** As a majority of the database has it. */
  find(id: DisputeId): Promise<Dispute | null>;
  /** Writes the next version with what it books and its audit entry. Returns false if it is stale. */
  replace(next: Dispute, commands: readonly Command[], entry: AuditEntry): Promise<boolean>;
  /** Newest first. */
  list(filter: DisputeFilter, page: PageRequest): Promise<Page<Dispute>>;
};

export type DisputePorts = { readonly disputes: DisputeStore };
