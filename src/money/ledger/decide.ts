import { amountOf, type Amount } from '../amount.ts';
import { hasFloor, type AccountId } from './accounts.ts';
import type { Entry } from './entries.ts';

/**
 * What the ledger does. `hold` reserves money of a wallet. `capture` books at most as much of it, and gives back the
 * rest. `void` gives back all of it. A hold is captured or voided once.
 */
export type Command =
  | { readonly do: 'post'; readonly entry: Entry }
  | { readonly do: 'hold'; readonly hold: NewHold }
  | { readonly do: 'capture'; readonly holdKey: string; readonly entry: Entry }
  | { readonly do: 'void'; readonly holdKey: string; readonly account: AccountId };

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

/** An account with a floor. What is not held of `posted` is available. */
export type Balance = { readonly posted: Amount; readonly held: Amount };

/** Why a command was refused. It has changed nothing. */
export type LedgerRefusal =
  /** The wallet has less available. */
  | 'insufficient_funds'
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

/** The balances and holds that commands have read, as they change in memory. */
export type Draft = { readonly balances: Map<AccountId, Balance>; readonly holds: Map<string, Hold> };

const DONE: LedgerResult = { ok: true, isRepeat: false };
export const REPEAT: LedgerResult = { ok: true, isRepeat: true };
const NOTHING: Balance = { posted: amountOf(0), held: amountOf(0) };

/** The amount that may be spent. */
export function availableOf({ posted, held }: Balance): Amount {
  return amountOf(posted - held);
}

/** The balance of an account in a draft; zero if nothing was ever booked on it. */
export function balanceIn({ balances }: Draft, account: AccountId): Balance {
  return balances.get(account) ?? NOTHING;
}

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
  }
}

function hold(draft: Draft, made: NewHold): LedgerResult {
  const { posted, held } = balanceIn(draft, made.account);
  if (posted - held < made.amount) return refused('insufficient_funds');
  draft.balances.set(made.account, { posted, held: amountOf(held + made.amount) });
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
  const { posted, held } = balanceIn(draft, found.account);
  draft.balances.set(found.account, { posted, held: amountOf(held - found.amount) });
  draft.holds.set(key, { ...found, state: 'voided' });
  return DONE;
}

/**
 * Books an entry on all accounts with a floor, or on none.
 * @param released what the entry no longer holds on `of`
 */
function book(draft: Draft, { postings }: Entry, released: number, of: AccountId | null = null): LedgerResult {
  const after: [AccountId, Balance][] = [];
  for (const { account, amount } of postings.filter((posting) => hasFloor(posting.account))) {
    const { posted, held } = balanceIn(draft, account);
    const next = { posted: posted + amount, held: held - (account === of ? released : 0) };
    if (!Number.isSafeInteger(next.posted)) return refused('out_of_range');
    // A credit is always accepted. What it books may not undo what is held.
    if (amount < 0 && next.posted < next.held) return refused('insufficient_funds');
    after.push([account, { posted: amountOf(next.posted), held: amountOf(next.held) }]);
  }
  for (const [account, balance] of after) draft.balances.set(account, balance);
  return DONE;
}

export function refused(why: LedgerRefusal): LedgerResult {
  return { ok: false, why };
}
