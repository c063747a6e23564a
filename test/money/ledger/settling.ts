/** The settlements of the random commands, and where all money must be once everything has ended. */
import type { VendorId } from '../../../src/domain/ids.ts';
import { amountOf, type Amount } from '../../../src/money/amount.ts';
import { besideAccount, type AccountId } from '../../../src/money/ledger/accounts.ts';
import type { Command } from '../../../src/money/ledger/decide.ts';
import type { Entry, EntryKind } from '../../../src/money/ledger/entries.ts';
import { planSettlement } from '../../../src/money/settlement/plan-settlement.ts';
import {
  moveSettlement,
  newAccount,
  type Settlement,
  type SettlementAccount,
} from '../../../src/money/settlement/settlement.ts';
import { gatherStatement } from '../../../src/money/settlement/statement.ts';
import { aVendor, NOON } from '../../builders.ts';
import { amountOn, BOOK, bookedOf, CLEARING, IN_TRANSIT, RESERVE, SUSPENSE, type Past } from './book.ts';
import { lastMove } from './later-commands.ts';

/** Amounts are small, so some settlements are carried over and some need an approval. */
const RULES = { minAmount: 10, approvalAmount: 30, alertMs: 0, issueAfterMs: 0 };
const OWNER = aVendor();

/** A vendor: its account, the entries that statements have counted, and the settlements that are not paid yet. */
type Vendor = { account: SettlementAccount; readonly counted: Set<string>; readonly open: Settlement[] };

/** The settlements of all vendors of a sequence of commands. */
export type Settling = ReturnType<typeof createSettling>;

/** Settles vendors while their money moves. */
export function createSettling() {
  const vendors = new Map<AccountId, Vendor>();
  const vendorOf = (wallet: AccountId): Vendor => {
    const vendorId = wallet.split(':')[1] as VendorId;
    const account = newAccount({ vendorId, liveMode: false, book: BOOK }, NOON);
    const vendor = vendors.get(wallet) ?? { account, counted: new Set(), open: [] };
    vendors.set(wallet, vendor);
    return vendor;
  };
  return {
    /**
     * Ends the period of a vendor, and pays the settlement of an earlier one. So entries may come between the two. Null if
     * there is no earlier one.
     */
    settle: (wallet: AccountId, past: Past): Command | null => {
      const vendor = vendorOf(wallet);
      const earlier = vendor.open.shift();
      const { settlement, next } = plan(wallet, vendor, past);
      vendor.account = next;
      if (settlement !== null && settlement.state !== 'closed') vendor.open.push(settlement);
      return earlier === undefined ? null : pay(earlier);
    },
    /** What a vendor is owed that no settlement has paid. */
    carried: (wallet: AccountId): Amount => vendorOf(wallet).account.carried,
  };
}

function plan(wallet: AccountId, { account, counted }: Vendor, past: Past) {
  const gathering = gatherStatement();
  for (const { key, kind, lines = [], ...entry } of bookedOf(past)) {
    if (counted.has(key)) continue;
    counted.add(key);
    const changeOf = (beside: Parameters<typeof besideAccount>[1]): Amount =>
      amountOf(amountOn(besideAccount(wallet, beside), { key, kind, lines, ...entry }));
    const changes = { wallet: changeOf('wallet'), receivable: changeOf('receivable'), payable: changeOf('payable') };
    if (Object.values(changes).some((amount) => amount !== 0)) gathering.add({ kind, changes, lines });
  }
  const read = { statement: gathering.statement(), upTo: account.link + 1 };
  return planSettlement(account, OWNER, read, RULES, NOON);
}

function pay(settlement: Settlement): Command | null {
  const approved = moveSettlement(settlement, 'approve', NOON, { approvedBy: 'stf_1' })?.settlement ?? settlement;
  return moveSettlement(approved, 'pay', NOON)?.command ?? null;
}

/** The next command of those that end everything; null if nothing is open. The caller must carry it out. */
export function nextEnd(past: Past, settling: Settling, wallets: readonly AccountId[]): Command | null {
  for (const wallet of wallets) {
    // The second turn pays what the first one has planned.
    const command = lastMove(past, wallet) ?? settling.settle(wallet, past) ?? settling.settle(wallet, past);
    if (command !== null) return command;
  }
  return null;
}

/** The money that gateways take by each kind of entry. They make the payouts. */
const TAKEN: Partial<Record<EntryKind, 1 | -1>> = {
  top_up: 1,
  order_value: 1,
  suspense: 1,
  suspense_return: -1,
  gateway_fee: -1,
  top_up_refund_paid: -1,
  chargeback: -1,
  chargeback_return: 1,
  payout_paid: -1,
};

/**
 * Where the money of accounts without a floor must be once everything has ended: nothing is on its way, belongs to nobody or
 * is disputed, gateways have exactly what they took, and vendors are owed what their settlements carry over.
 */
export function expectedAtEnd(
  past: Past,
  settling: Settling,
  wallets: readonly AccountId[],
): ReadonlyMap<AccountId, number> {
  return new Map([
    [IN_TRANSIT, 0],
    [SUSPENSE, 0],
    [RESERVE, 0],
    [CLEARING, 0 - takenByGateways(bookedOf(past))],
    ...wallets.map((wallet) => [besideAccount(wallet, 'payable'), settling.carried(wallet)] as const),
  ]);
}

function takenByGateways(entries: readonly Entry[]): number {
  const keys = new Set(entries.map(({ key }) => key));
  return entries.reduce((sum, { key, kind, postings }) => {
    // A payout that comes back was at the bank, unless it never arrived there.
    const isReturn = kind === 'payout_return' || kind === 'top_up_refund_return';
    const isBack = isReturn && keys.has(key.replace('_return', '_paid'));
    const moved = postings.reduce((most, { amount }) => Math.max(most, amount), 0);
    return sum + moved * (isBack ? 1 : (TAKEN[kind] ?? 0));
  }, 0);
}
