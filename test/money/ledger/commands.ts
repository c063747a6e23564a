/** Random commands, and a plain model of what they must do. The model keeps lists and sums them each time. */
import fc from 'fast-check';
import { newId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import {
  besideAccount,
  bookOf,
  courierAccount,
  platformAccount,
  vendorAccount,
  type AccountId,
} from '../../../src/money/ledger/accounts.ts';
import type { Balance, Command, LedgerRefusal } from '../../../src/money/ledger/decide.ts';
import { move, type Entry } from '../../../src/money/ledger/entries.ts';

export const BOOK = bookOf(false, 'EUR');
export const REVENUE = platformAccount('revenue', BOOK);

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

function anEntry(key: string, kind: Entry['kind'], postings: Entry['postings']): Entry {
  return { key, kind, book: BOOK, vendorId: null, postings, about: 'order 7', reason: null };
}

export type Step = { readonly kind: Kind; readonly wallet: number; readonly amount: number; readonly pick: number };
const NEW_KINDS = ['credit', 'debit', 'charge', 'hold', 'capture', 'overrun', 'deliver', 'void', 'freeze'] as const;
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

/** The account of the only courier. */
export const EARNINGS = courierAccount('earnings', newId('cou'), BOOK);

/** The command of a step, which may refer to earlier ones. Keys begin with `name`. */
export function commandOf(
  step: Step,
  name: string,
  wallets: readonly AccountId[],
  earlier: readonly Command[],
): Command {
  const { kind, amount, pick } = step;
  const wallet = wallets[step.wallet % wallets.length] ?? aWallet();
  const key = `${name}:${earlier.length}`;
  const holds = earlier.flatMap((command) => (command.do === 'hold' ? [command.hold] : []));
  const held = holds[pick % Math.max(1, holds.length)];
  const before = earlier[pick % Math.max(1, earlier.length)];
  if (kind === 'debit') return aCredit(key, wallet, -amount);
  if (kind === 'charge') return aCharge(key, wallet, amount);
  if (kind === 'hold') return aHold(key, wallet, amount);
  if (kind === 'capture') return aCapture(held?.key ?? 'none', key, held?.account ?? wallet, amount);
  if (kind === 'overrun')
    return aCapture(held?.key ?? 'none', key, held?.account ?? wallet, held?.amount ?? amount, amount);
  if (kind === 'deliver') {
    const [over, promoted] = [pick % 5, pick % 3];
    const charged = { paid: Math.min(held?.amount ?? amount, amount), over, promoted, earnings: EARNINGS };
    return aDeliveryCharge(held?.key ?? 'none', key, held?.account ?? wallet, charged);
  }
  if (kind === 'void') return { do: 'void', holdKey: held?.key ?? 'none', account: held?.account ?? wallet };
  if (kind === 'freeze') return { do: 'freeze', account: wallet, isFrozen: amount > 14 };
  if (kind === 'again' && before !== undefined) return before;
  if (kind === 'otherwise' && before !== undefined) return otherwise(before);
  return aCredit(key, wallet, amount);
}

/** The same fact with another content. */
function otherwise(command: Command): Command {
  if (command.do === 'hold') return { ...command, hold: { ...command.hold, about: 'order 8' } };
  if ('entry' in command) return { ...command, entry: { ...command.entry, about: 'order 8' } };
  return command;
}

export type Told = 'done' | 'repeat' | LedgerRefusal;

/** The model. */
export function createModel() {
  const entries = new Map<string, Entry>();
  const holds = new Map<string, { command: Command & { do: 'hold' }; end: string | null }>();
  const posted = (account: AccountId): number =>
    [...entries.values()]
      .flatMap(({ postings }) => postings)
      .reduce((sum, posting) => sum + (posting.account === account ? posting.amount : 0), 0);
  const held = (account: AccountId): number =>
    [...holds.values()].reduce(
      (sum, { command: { hold }, end }) => sum + (hold.account === account && end === null ? hold.amount : 0),
      0,
    );
  const owed = (account: AccountId): number => 0 - posted(besideAccount(account, 'receivable'));
  const free = (account: AccountId): number => posted(account) - held(account);
  /** What is owed is paid as soon as there is money. */
  const repay = (key: string): void => {
    for (const { postings } of entries.values()) {
      const wallet = postings.find(({ account }) => account.startsWith('wallet:'))?.account;
      const amount = wallet === undefined ? 0 : Math.min(owed(wallet), free(wallet));
      if (wallet === undefined || amount <= 0) continue;
      const back = move(amountOf(amount), wallet, besideAccount(wallet, 'receivable'));
      entries.set(`repayment:${key}`, anEntry(`repayment:${key}`, 'repayment', back));
    }
  };
  const spends = ({ postings }: Entry, freed: number): boolean =>
    postings.some(
      ({ account, amount }) =>
        account.startsWith('wallet:') && amount < 0 && posted(account) - held(account) + freed + amount < 0,
    );
  const sameAs = (one: unknown, other: unknown): Told =>
    JSON.stringify(one) === JSON.stringify(other) ? 'repeat' : 'key_reused';
  const book = (entry: Entry, freed: number): Told => {
    if (spends(entry, freed)) return 'insufficient_funds';
    entries.set(entry.key, entry);
    return 'done';
  };
  const frozen = new Set<AccountId>();
  const apply = (command: Command): Told => {
    const told = judge(command);
    if (told === 'done' && command.do !== 'freeze')
      repay('entry' in command ? command.entry.key : command.do === 'void' ? command.holdKey : '');
    return told;
  };
  const judge = (command: Command): Told => {
    if ('entry' in command && entries.has(command.entry.key))
      return sameAs(entries.get(command.entry.key), command.entry);
    if (command.do === 'post') return book(command.entry, 0);
    if (command.do === 'freeze') {
      if (frozen.has(command.account) === command.isFrozen) return 'repeat';
      if (command.isFrozen) frozen.add(command.account);
      else frozen.delete(command.account);
      return 'done';
    }
    if (command.do === 'hold') {
      const known = holds.get(command.hold.key);
      if (known !== undefined) return sameAs(known.command, command);
      if (frozen.has(command.hold.account)) return 'wallet_frozen';
      if (free(command.hold.account) - owed(command.hold.account) < command.hold.amount) return 'insufficient_funds';
      holds.set(command.hold.key, { command, end: null });
      return 'done';
    }
    const one = holds.get(command.holdKey);
    if (command.do === 'void' && one?.end === 'voided') return 'repeat';
    if (one === undefined || one.end !== null) return 'hold_not_open';
    if (command.do === 'void') one.end = 'voided';
    else {
      const { account, amount } = one.command.hold;
      const captured = 0 - (command.entry.postings.find((posting) => posting.account === account)?.amount ?? 0);
      if (captured <= 0 || captured > amount) return 'not_of_hold';
      const told = book(command.entry, amount);
      if (told !== 'done') return told;
      one.end = command.entry.key;
    }
    return 'done';
  };
  const balance = (account: AccountId): Balance => ({
    posted: amountOf(posted(account)),
    held: amountOf(held(account)),
    owed: amountOf(owed(account)),
    isFrozen: frozen.has(account),
  });
  return { apply, balance };
}
