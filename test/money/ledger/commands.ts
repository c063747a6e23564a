/** Random commands of the ledger, on small amounts and few accounts, so that they meet. */
import fc from 'fast-check';
import { newId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import {
  besideAccount,
  courierAccount,
  platformAccount,
  vendorAccount,
  type AccountId,
} from '../../../src/money/ledger/accounts.ts';
import type { Command } from '../../../src/money/ledger/decide.ts';
import { move, type Entry } from '../../../src/money/ledger/entries.ts';
import { anEntry, BOOK, CLEARING, REVENUE, type Past } from './book.ts';
import {
  aChargebackOf,
  aDisputeOf,
  aMove,
  anArrival,
  aPayoutOf,
  aRefund,
  aRefundOf,
  holdAt,
  STORY_MOVES,
} from './later-commands.ts';
import type { Settling } from './settling.ts';

/** A new wallet of the book. */
export function aWallet(): AccountId {
  return vendorAccount('wallet', newId('ven'), BOOK);
}

/** A credit by hand; a negative amount takes money out. */
export function aCredit(key: string, wallet: AccountId, amount: number): Command {
  return {
    do: 'post',
    entry: anEntry(key, 'adjustment', move(amountOf(amount), platformAccount('adjustment', BOOK), wallet)),
  };
}

export function aCharge(key: string, wallet: AccountId, amount: number): Command {
  return { do: 'post', entry: charging(key, wallet, amount) };
}

export function aHold(key: string, account: AccountId, amount: number): Command {
  return { do: 'hold', hold: { key, account, amount: amountOf(amount), about: 'order 7' } };
}

/** Captures an amount of a hold, and charges `over` beyond it. */
export function aCapture(holdKey: string, key: string, wallet: AccountId, amount: number, over = 0): Command {
  const paid = move(amountOf(amount + over), wallet, REVENUE);
  const postings = paid.flatMap((posting) =>
    posting.account === wallet && over > 0
      ? [
          { account: wallet, amount: amountOf(-amount) },
          { account: besideAccount(wallet, 'receivable'), amount: amountOf(-over) },
        ]
      : [posting],
  );
  return { do: 'capture', holdKey, entry: anEntry(key, 'charge', postings) };
}

/** The charge of a delivery with all that belongs to it. `paid` is the part of the hold that it takes. */
type Charged = {
  readonly paid: number;
  readonly over: number;
  readonly promoted: number;
  readonly earnings: AccountId;
};

/** Captures a hold for a delivery: fee and tax, the platform's share, what is owed, and the pay of the courier. */
export function aDeliveryCharge(
  holdKey: string,
  key: string,
  wallet: AccountId,
  { paid, over, promoted, earnings }: Charged,
): Command {
  const fee = paid + over + promoted;
  const tax = Math.floor(fee / 6);
  const pay = Math.floor(((fee - tax) * 4) / 5);
  const amounts: readonly (readonly [AccountId, number])[] = [
    [wallet, -paid],
    [besideAccount(wallet, 'receivable'), -over],
    [platformAccount('promotion', BOOK), -promoted],
    [REVENUE, fee - tax],
    [platformAccount('tax', BOOK), tax],
    [platformAccount('delivery_cost', BOOK), -pay],
    [earnings, pay],
  ];
  const postings = amounts.flatMap(([account, amount]) =>
    amount === 0 ? [] : [{ account, amount: amountOf(amount) }],
  );
  const lines = [
    { type: 'delivery', amount: amountOf(paid + over), tax: amountOf(Math.min(tax, paid + over)) },
  ] as const;
  return { do: 'capture', holdKey, entry: { ...anEntry(key, 'charge', postings), lines } };
}

function charging(key: string, wallet: AccountId, amount: number): Entry {
  return anEntry(key, 'charge', move(amountOf(amount), wallet, REVENUE));
}

export type Step = { readonly kind: Kind; readonly wallet: number; readonly amount: number; readonly pick: number };
/** Deliveries are drawn more often, because earnings, refunds and disputes follow from them. */
// oxfmt-ignore
const NEW_KINDS = ['credit', 'top_up', 'debit', 'charge', 'hold', 'hold', 'capture', 'overrun', 'deliver', 'deliver', 'deliver', 'void', 'freeze', 'refund', 'dispute', 'payout', 'suspense', 'top_up_refund', 'chargeback', 'gateway_fee', 'order_value', 'platform_charge', 'settle', ...STORY_MOVES] as const;
/** An earlier command once more, and its fact with another content. */
const KINDS = [...NEW_KINDS, 'again', 'otherwise'] as const;
type Kind = (typeof KINDS)[number];

/** Steps on a few wallets, with small amounts, so that they meet. */
const stepsOf = (kinds: readonly Kind[]) =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    wallet: fc.nat(2),
    amount: fc.integer({ min: 1, max: 20 }),
    pick: fc.nat(1000),
  });
/** Steps whose facts are new. The store answers the others from what is booked. */
export const NEW_STEPS = stepsOf(NEW_KINDS);
export const STEPS = stepsOf(KINDS);

/** The accounts that have a floor in one sequence of commands. */
export type Accounts = { readonly wallets: readonly AccountId[]; readonly earnings: AccountId };

/** A few new wallets, and the earnings of a new courier. */
export function someAccounts(wallets: number): Accounts {
  return {
    wallets: Array.from({ length: wallets }, aWallet),
    earnings: courierAccount('earnings', newId('cou'), BOOK),
  };
}

/** The command of a step, which may refer to earlier ones. Keys begin with `name`. */
export function commandOf(step: Step, name: string, accounts: Accounts, past: Past, settling: Settling): Command {
  const wallet = accounts.wallets[step.wallet % accounts.wallets.length] ?? aWallet();
  const key = `${name}:${past.earlier.length}`;
  // A step about an earlier command that is missing is a credit.
  return (
    stepping(step, key, { wallet, earnings: accounts.earnings }, past, settling) ?? aCredit(key, wallet, step.amount)
  );
}

type Meant = { readonly wallet: AccountId; readonly earnings: AccountId };

function stepping(
  { kind, amount, pick }: Step,
  key: string,
  { wallet, earnings }: Meant,
  past: Past,
  settling: Settling,
): Command | null {
  const held = holdAt(pick, past);
  const before = past.earlier[pick % Math.max(1, past.earlier.length)] ?? null;
  const [holdKey, account] = [held?.key ?? 'none', held?.account ?? wallet];
  switch (kind) {
    case 'credit':
      return aCredit(key, wallet, amount);
    case 'debit':
      return aCredit(key, wallet, -amount);
    case 'top_up':
      return booking(key, 'top_up', amount, CLEARING, wallet);
    case 'charge':
      return aCharge(key, wallet, amount);
    case 'hold':
      return aHold(key, wallet, amount);
    case 'capture':
      return aCapture(holdKey, key, account, amount);
    case 'overrun':
      return aCapture(holdKey, key, account, held?.amount ?? amount, amount);
    case 'deliver': {
      const charged = { paid: Math.min(held?.amount ?? amount, amount), over: pick % 5, promoted: pick % 3, earnings };
      return aDeliveryCharge(holdKey, key, account, charged);
    }
    case 'void':
      return { do: 'void', holdKey, account };
    case 'freeze':
      return { do: 'freeze', account: wallet, isFrozen: amount > 14 };
    case 'refund':
      return aRefund(amount, { pick, past });
    case 'dispute':
      return aDisputeOf(amount, { pick, past });
    case 'payout':
      return aPayoutOf(earnings, 1 + (amount % 5));
    case 'suspense':
      return anArrival(amount);
    case 'top_up_refund':
      return aRefundOf(wallet, amount);
    case 'chargeback':
      return aChargebackOf(wallet, amount);
    case 'gateway_fee':
      return booking(key, 'gateway_fee', amount, platformAccount('processing_cost', BOOK), CLEARING);
    case 'order_value':
      return booking(key, 'order_value', amount, CLEARING, besideAccount(wallet, 'payable'));
    case 'platform_charge':
      return booking(key, kind, amount, platformAccount('delivery_cost', BOOK), earnings);
    case 'settle':
      return settling.settle(wallet, past);
    case 'again':
      return before;
    case 'otherwise':
      return before === null ? null : otherwise(before);
    case 'pay_out':
    case 'give_back':
    case 'take_back':
    case 'credit_to':
    case 'send_back':
    case 'refund_paid':
    case 'refund_back':
    case 'refund_taken':
    case 'dispute_won':
    case 'accept':
    case 'release':
      return aMove(kind, { pick, past, wallet });
  }
}

function booking(key: string, kind: Entry['kind'], amount: number, from: AccountId, to: AccountId): Command {
  return { do: 'post', entry: anEntry(key, kind, move(amountOf(amount), from, to)) };
}

/** The same fact with another content. */
function otherwise(command: Command): Command {
  if (command.do === 'hold') return { ...command, hold: { ...command.hold, about: 'order 8' } };
  if ('entry' in command) return { ...command, entry: { ...command.entry, about: 'order 8' } };
  return command;
}
