// The answers of a run, and the balances that follow from them. Both are compared with the database.
import type { AccountId } from '../../src/money/ledger/accounts.ts';
import { storedAt, type Balance, type Command } from '../../src/money/ledger/decide.ts';

/** The answer to a command: it was booked, it was not, or it was given up as not booked and never sent again. */
export type Told = 'booked' | 'refused' | 'not booked';

/** Keeps the last answer of each fact, and the balances that follow from the answers. */
export type Answers = {
  tell(command: Command, told: Told): void;
  /** The facts of entries by their keys, and whether they must be stored. */
  readonly entries: ReadonlyMap<string, Told>;
  readonly holds: ReadonlyMap<string, Told>;
  balanceOf(account: AccountId): Net;
};

/** The money of an account less what its owner owes beside it, and what is held of it. A repayment changes neither. */
type Net = { readonly net: number; readonly held: number };

/** Answers, of which none was given yet. */
export function createAnswers(): Answers {
  const entries = new Map<string, Told>();
  const holds = new Map<string, Told>();
  const amounts = new Map<string, { readonly wallet: AccountId; readonly amount: number }>();
  const balances = new Map<AccountId, { net: number; held: number }>();
  const at = (account: AccountId): { net: number; held: number } => {
    const known = balances.get(account) ?? { net: 0, held: 0 };
    balances.set(account, known);
    return known;
  };
  const free = (holdKey: string): void => {
    const hold = amounts.get(holdKey);
    if (hold !== undefined) at(hold.wallet).held -= hold.amount;
  };
  const apply = (command: Command): void => {
    if (command.do === 'hold') {
      const { key, account: wallet, amount } = command.hold;
      amounts.set(key, { wallet, amount });
      at(wallet).held += amount;
      return;
    }
    if (command.do === 'freeze') return;
    if (command.do !== 'post') free(command.holdKey);
    if (command.do === 'void') return;
    for (const { account, amount } of command.entry.postings) at(storedAt(account)).net += amount;
  };
  return {
    tell: (command, told) => {
      if (command.do === 'hold') holds.set(command.hold.key, told);
      else if ('entry' in command) entries.set(command.entry.key, told);
      if (told === 'booked') apply(command);
    },
    entries,
    holds,
    balanceOf: at,
  };
}

/** The state of the database at the end: the keys of all facts, and the balances of the accounts. */
export type Stored = {
  readonly entries: ReadonlySet<string>;
  readonly holds: ReadonlySet<string>;
  readonly balances: ReadonlyMap<AccountId, Balance>;
};

export type Comparison = {
  /** Facts that were answered as booked and are not stored. */
  readonly lost: readonly string[];
  /** Facts that are stored although they were answered as not booked, or never sent. */
  readonly unasked: readonly string[];
  /** Accounts whose balance is not the one that follows from the answers. */
  readonly wrong: readonly string[];
};

/** Compares the answers with what is stored. */
export function compare(answers: Answers, stored: Stored): Comparison {
  const facts = [
    ...[...answers.entries].map(([key, told]) => ({ key, told, isStored: stored.entries.has(key) })),
    ...[...answers.holds].map(([key, told]) => ({ key, told, isStored: stored.holds.has(key) })),
  ];
  const wrong = [...stored.balances].flatMap(([account, { posted, held, owed }]) => {
    const told = answers.balanceOf(account);
    if (told.net === posted - owed && told.held === held) return [];
    return [`${account} has ${posted - owed} and holds ${held}, but the answers say ${told.net} and ${told.held}`];
  });
  // Repayments are entries that the ledger makes by itself.
  const unknown = [...stored.entries].filter((key) => !answers.entries.has(key) && !key.startsWith('repayment:'));
  return {
    lost: facts.flatMap(({ key, told, isStored }) => (told === 'booked' && !isStored ? [key] : [])),
    unasked: [...facts.flatMap(({ key, told, isStored }) => (told !== 'booked' && isStored ? [key] : [])), ...unknown],
    wrong,
  };
}
