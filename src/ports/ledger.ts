import type { AuditEntry } from '../domain/audit.ts';
import type { AccountId } from '../money/ledger/accounts.ts';
import type { LastCheck, LedgerCheck } from '../money/ledger/check.ts';
import type { Entry } from '../money/ledger/entries.ts';
import type { Balance, Command, LedgerResult } from '../money/ledger/decide.ts';

/** The journal of all money. */
export type Ledger = {
  /**
   * Carries out a command, and stores the entry of the audit log with it. Commits of deliveries and payouts write
   * money through the same function in transactions of their own. A command whose
   * fact is already booked changes nothing and is answered as before. Refuses `busy` if it is not booked after 5 s, or
   * if that is unknown; then the same command may be sent again.
   */
  post(command: Command, audit: AuditEntry | null): Promise<LedgerResult>;
  /** The balance of an account with a floor; zero if nothing was ever booked on it. */
  balance(account: AccountId): Promise<Balance>;
  /** The entries with these keys that are stored. */
  find(keys: readonly string[]): Promise<readonly Entry[]>;
  /** The first 1,000 entries about an object, oldest first. */
  listAbout(about: string): Promise<readonly Entry[]>;
  /** Adds up to `limit` new entries to the chain and to the totals. Returns their number. */
  seal(limit: number): Promise<number>;
};

/** Checks of all money. */
export type LedgerChecks = {
  /**
   * Checks the whole ledger in pieces of some ms, and names the first 20 faults. Waits for `goesOn` after each
   * piece, and ends with null as soon as it says no.
   */
  run(goesOn: () => Promise<boolean>): Promise<LedgerCheck | null>;
  /** The last check that was stored; null if there was none. */
  findLast(): Promise<LastCheck | null>;
  /** Stores a check in place of the last one. Does nothing if that one began at the same time or later. */
  put(check: LastCheck): Promise<void>;
};

export type LedgerPorts = { readonly ledger: Ledger; readonly ledgerChecks: LedgerChecks };
