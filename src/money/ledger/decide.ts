import type { VendorId } from '../../domain/ids.ts';
import { amountOf, type Amount } from '../amount.ts';
import { besideAccount, hasFloor, kindOfAccount, type AccountId, type Book } from './accounts.ts';
import { move, type Entry } from './entries.ts';

/**
 * What the ledger does. `hold` reserves money of a wallet. `capture` books at most as much of it, and gives back the
 * rest. `void` gives back all of it. A hold is captured or voided once. `freeze` makes a wallet refuse new holds, or
 * accept them again.
 */
export type Command =
  | { readonly do: 'post'; readonly entry: Entry }
  | { readonly do: 'hold'; readonly hold: NewHold }
  | { readonly do: 'capture'; readonly holdKey: string; readonly entry: Entry }
  | { readonly do: 'void'; readonly holdKey: string; readonly account: AccountId }
  | { readonly do: 'freeze'; readonly account: AccountId; readonly isFrozen: boolean };

/** Money of an account to be reserved. `key` is the fact that it is for, as of an entry. */
export type NewHold = {
  readonly key: string;
  readonly account: AccountId;
  readonly amount: Amount;
  readonly about: string;
};

export type HoldState = 'open' | 'captured' | 'voided';
export type Hold = NewHold & {
  readonly state: HoldState;
  /** What was captured of it. */
  readonly captured: Amount;
  /** The entry that captured it; null unless it is captured. */
  readonly entryKey: string | null;
};

/**
 * An account with a floor. `owed` is what the owner of a wallet owes beside it, which the next money pays first. What is
 * neither held nor owed of `posted` is available. A frozen account accepts no new hold.
 */
export type Balance = {
  readonly posted: Amount;
  readonly held: Amount;
  readonly owed: Amount;
  readonly isFrozen: boolean;
};

/** Why a command was refused. It has changed nothing. */
export type LedgerRefusal =
  /** The wallet has less available. */
  | 'insufficient_funds'
  /** The wallet is frozen, so nothing can be held of it. */
  | 'wallet_frozen'
  /** The balance would no longer be a safe integer. */
  | 'out_of_range'
  /** The fact was booked before, with another content. */
  | 'key_reused'
  /** The account has no such hold, or it was resolved in another way. */
  | 'hold_not_open'
  /** The capture spends more of the account than is held, or nothing. */
  | 'not_of_hold';

export type LedgerResult =
  /** `isRepeat` means that the fact was booked before, so nothing has changed now. */
  { readonly ok: true; readonly isRepeat: boolean } | { readonly ok: false; readonly why: LedgerRefusal };

/** An entry as it was booked, with what each of its accounts with a floor had after it. */
export type Booked = { readonly entry: Entry; readonly balances: ReadonlyMap<AccountId, Amount> };

/** The balances and holds that commands have read, as they change in memory, and the entries that they book. */
export type Draft = {
  readonly balances: Map<AccountId, Balance>;
  readonly holds: Map<string, Hold>;
  readonly booked: Booked[];
};

const DONE: LedgerResult = { ok: true, isRepeat: false };
export const REPEAT: LedgerResult = { ok: true, isRepeat: true };
/** The balance of an account on which nothing was ever booked. */
export const NOTHING: Balance = {
  posted: amountOf(0),
  held: amountOf(0),
  owed: amountOf(0),
  isFrozen: false,
};

/** The amount that may be spent; below 0 if more is owed. */
export function availableOf({ posted, held, owed }: Balance): Amount {
  return amountOf(posted - held - owed);
}

/** The wallet beside which the debt of a receivable is stored. Any other account is stored by itself. */
export function storedAt(account: AccountId): AccountId {
  return kindOfAccount(account) === 'receivable' ? besideAccount(account, 'wallet') : account;
}

/** The balance of an account in a draft; zero if nothing was ever booked on it. */
export function balanceIn({ balances }: Draft, account: AccountId): Balance {
  return balances.get(account) ?? NOTHING;
}

/** The balances and holds as they are stored. */
export type Stored = Pick<Draft, 'balances' | 'holds'>;

/** Judges a command whose fact is new, and changes the draft if it passes. */
export function decide(draft: Draft, command: Command): LedgerResult {
  switch (command.do) {
    case 'post':
      return book(draft, command.entry, 0);
    case 'hold':
      return hold(draft, command.hold);
    case 'capture':
      return capture(draft, command.holdKey, command.entry);
    case 'void':
      return release(draft, command.holdKey, command.account);
    case 'freeze':
      return freeze(draft, command.account, command.isFrozen);
  }
}

function hold(draft: Draft, made: NewHold): LedgerResult {
  const balance = balanceIn(draft, made.account);
  if (balance.isFrozen) return refused('wallet_frozen');
  if (availableOf(balance) < made.amount) return refused('insufficient_funds');
  draft.balances.set(made.account, { ...balance, held: amountOf(balance.held + made.amount) });
  draft.holds.set(made.key, { ...made, state: 'open', captured: amountOf(0), entryKey: null });
  return DONE;
}

function capture(draft: Draft, key: string, entry: Entry): LedgerResult {
  const found = draft.holds.get(key);
  if (found?.state !== 'open') return found?.entryKey === entry.key ? REPEAT : refused('hold_not_open');
  const captured = 0 - (entry.postings.find(({ account }) => account === found.account)?.amount ?? 0);
  if (captured <= 0 || captured > found.amount) return refused('not_of_hold');
  const result = book(draft, entry, found.amount, found.account);
  if (result.ok)
    draft.holds.set(key, { ...found, state: 'captured', captured: amountOf(captured), entryKey: entry.key });
  return result;
}

function release(draft: Draft, key: string, account: AccountId): LedgerResult {
  const found = draft.holds.get(key);
  if (found?.account !== account) return refused('hold_not_open');
  if (found.state === 'voided') return REPEAT;
  if (found.state !== 'open') return refused('hold_not_open');
  const balance = balanceIn(draft, account);
  draft.balances.set(account, { ...balance, held: amountOf(balance.held - found.amount) });
  draft.holds.set(key, { ...found, state: 'voided' });
  repay(draft, account, found);
  return DONE;
}

function freeze(draft: Draft, account: AccountId, isFrozen: boolean): LedgerResult {
  const balance = balanceIn(draft, account);
  if (balance.isFrozen === isFrozen) return REPEAT;
  draft.balances.set(account, { ...balance, isFrozen });
  return DONE;
}

/**
 * Books an entry on all accounts with a floor, or on none. Then pays what its wallets owe.
 * @param released what the entry no longer holds on `of`
 */
function book(draft: Draft, entry: Entry, released: number, of: AccountId | null = null): LedgerResult {
  const after = new Map<AccountId, Balance>();
  for (const { account, amount } of entry.postings) {
    const stored = storedAt(account);
    if (!hasFloor(stored)) continue;
    const balance = after.get(stored) ?? balanceIn(draft, stored);
    const next = stored === account ? posted(balance, amount, account === of ? released : 0) : owing(balance, amount);
    if (typeof next === 'string') return refused(next);
    after.set(stored, next);
  }
  for (const [account, balance] of after) draft.balances.set(account, balance);
  record(draft, entry);
  for (const account of after.keys()) repay(draft, account, entry);
  return DONE;
}

/** The balance of an account with a floor after a posting. A credit is always accepted: it undoes nothing that is held. */
function posted(balance: Balance, amount: Amount, released: number): Balance | LedgerRefusal {
  const next = { posted: balance.posted + amount, held: balance.held - released };
  if (!Number.isSafeInteger(next.posted)) return 'out_of_range';
  if (amount < 0 && next.posted < next.held) return 'insufficient_funds';
  return { ...balance, posted: amountOf(next.posted), held: amountOf(next.held) };
}

/** The balance of a wallet after a posting on the receivable beside it. What was never owed cannot be paid back. */
function owing(balance: Balance, amount: Amount): Balance | LedgerRefusal {
  const owed = balance.owed - amount;
  return owed < 0 || !Number.isSafeInteger(owed) ? 'out_of_range' : { ...balance, owed: amountOf(owed) };
}

/** Pays what is owed beside a wallet from what is not held of it, as a fact of its own. */
function repay(draft: Draft, account: AccountId, { key, about }: Pick<Entry, 'key' | 'about'>): void {
  const balance = balanceIn(draft, account);
  const { posted: has, held, owed } = balance;
  const amount = amountOf(Math.min(owed, has - held));
  if (amount <= 0) return;
  const [, owner = '', book = ''] = account.split(':');
  draft.balances.set(account, { ...balance, posted: amountOf(has - amount), owed: amountOf(owed - amount) });
  const postings = move(amount, account, besideAccount(account, 'receivable'));
  record(draft, {
    key: `repayment:${key}`,
    kind: 'repayment',
    book: book as Book,
    vendorId: owner as VendorId,
    postings,
    about,
    reason: null,
  });
}

function record(draft: Draft, entry: Entry): void {
  const own = entry.postings.map(({ account }) => account).filter(hasFloor);
  draft.booked.push({ entry, balances: new Map(own.map((account) => [account, balanceIn(draft, account).posted])) });
}

export function refused(why: LedgerRefusal): LedgerResult {
  return { ok: false, why };
}
