/** Settlements of vendors, as stored, and the entries of the ledger that they add up. */
import type { AuditEntry } from '../../domain/audit.ts';
import type { SettlementId, VendorId } from '../../domain/ids.ts';
import type { SettlementCycle } from '../../domain/vendors/vendor.ts';
import type { Command } from '../../money/ledger/decide.ts';
import type { Settlement, SettlementAccount } from '../../money/settlement/settlement.ts';
import type { Changes, Member } from '../../money/settlement/statement.ts';
import type { Page, PageRequest } from '../pages.ts';
import type { Payer, Wallet } from './billing.ts';

/**
 * The entries of a vendor that belong to a period: those that were booked in it, and those that were booked before it
 * and came into the chain after the statement before. `upTo` is the newest link that counts.
 */
export type MemberSpan = Wallet & {
  readonly from: number;
  readonly to: number;
  readonly after: number;
  readonly upTo: number;
};

/** Members that are absent do not narrow the list. */
export type SettlementFilter = {
  readonly liveMode: boolean;
  readonly vendorId?: VendorId;
  readonly cycle?: SettlementCycle;
  /** The span in which periods begin, service time in ms, half-open. */
  readonly from?: number;
  readonly to?: number;
};

export type SettlementStore = {
  /** Accounts that are due, longest due first. */
  listDueAccounts(now: number, limit: number): Promise<readonly SettlementAccount[]>;
  /** Notes a failure. The account is due again at this time. It does nothing if the account has changed meanwhile. */
  putOff(account: SettlementAccount, dueAt: number): Promise<void>;
  /** The number of the newest link of the chain; 0 for none. As a majority of the database has it. */
  newestLink(): Promise<number>;
  /** Hands out each entry of the span once, in any order. Returns the sums that the database has for them. */
  readMembers(span: MemberSpan, add: (member: Member) => void): Promise<Changes>;
  /**
   * Replaces the period of an account by the next one, and stores its settlement. Both happen or neither. Returns false,
   * and changes nothing, if somebody else has settled the period.
   */
  issue(next: SettlementAccount, settlement: Settlement | null): Promise<boolean>;
  /** As a majority of the database has it. */
  find(id: SettlementId): Promise<Settlement | null>;
  /** Writes the next version with what it books and its audit entry. Returns false if it is stale. */
  replace(next: Settlement, command: Command | null, entry: AuditEntry | null): Promise<boolean>;
  /** Settlements that are to be paid now, and drafts that are to be reported, longest due first. */
  listDue(now: number, limit: number): Promise<readonly Settlement[]>;
  /** The latest period first. */
  list(filter: SettlementFilter, page: PageRequest): Promise<Page<Settlement>>;
  /** Those of a vendor that pay something, the latest period first. */
  listPaying(filter: Payer & Pick<SettlementFilter, 'from' | 'to'>, page: PageRequest): Promise<Page<Settlement>>;
};

export type SettlementPorts = { readonly settlements: SettlementStore };
