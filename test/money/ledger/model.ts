/** A plain model of what the commands of the ledger must do. It keeps lists and sums them each time. */
import { amountOf } from '../../../src/money/amount.ts';
import { besideAccount, hasFloor, type AccountId } from '../../../src/money/ledger/accounts.ts';
import type { Balance, Command, LedgerRefusal } from '../../../src/money/ledger/decide.ts';
import { move, type Entry } from '../../../src/money/ledger/entries.ts';
import { anEntry } from './book.ts';

/** The answer to a command. */
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
      ({ account, amount }) => hasFloor(account) && amount < 0 && posted(account) - held(account) + freed + amount < 0,
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
  return { apply, balance, isBooked: (key: string): boolean => entries.has(key) };
}
