import { newId } from '../../domain/ids.ts';
import { zoneOfVendor } from '../../domain/vendors/time-zone.ts';
import type { Vendor } from '../../domain/vendors/vendor.ts';
import type { Settings } from '../../settings.ts';
import { amountOf } from '../amount.ts';
import { currencyOf } from '../ledger/accounts.ts';
import { periodAfter } from './periods.ts';
import type { Settlement, SettlementAccount } from './settlement.ts';
import type { Statement } from './statement.ts';

type Owner = Pick<Vendor, 'timezone' | 'hours' | 'hoursEdition' | 'settlement'>;

/** What the end of a period leads to. */
export type Planned = {
  /** Null if the period has no entries and nothing is paid. */
  readonly settlement: Settlement | null;
  readonly next: SettlementAccount;
};

/**
 * Plans the settlement of a period that is over, and the period after it. It pays all that is owed, or nothing if that is
 * less than the least amount. What it does not pay is carried over, also below zero.
 * @param upTo the newest link of the chain when the entries were read
 */
export function planSettlement(
  account: SettlementAccount,
  owner: Owner,
  { statement, upTo }: { readonly statement: Statement; readonly upTo: number },
  { minAmount, approvalAmount, alertMs, issueAfterMs }: Settings['settlement'],
  now: number,
): Planned {
  const { vendorId, liveMode, book, period, carried, link } = account;
  // The account has counted earlier settlements when they were made.
  const owed = amountOf(carried + statement.changes.payable + statement.paidOut);
  const amount = amountOf(owed >= minAmount ? owed : 0);
  const carriedOut = amountOf(owed - amount);
  const later = periodAfter(zoneOfVendor(owner), owner.settlement, period);
  const next: SettlementAccount = {
    ...account,
    period: later,
    link: upTo,
    carried: carriedOut,
    dueAt: later.to + issueAfterMs,
    failures: 0,
    version: account.version + 1,
  };
  if (statement.entries === 0 && amount === 0) return { settlement: null, next };
  const state = amount === 0 ? 'closed' : amount > approvalAmount ? 'draft' : 'approved';
  const settlement: Settlement = {
    id: newId('stl'),
    vendorId,
    liveMode,
    currency: currencyOf(book),
    period,
    links: { after: link, upTo },
    statement,
    carriedIn: carried,
    amount,
    carriedOut,
    state,
    approvedBy: null,
    dueAt: { draft: now + alertMs, approved: now, closed: null }[state],
    failures: 0,
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
  return { settlement, next };
}
