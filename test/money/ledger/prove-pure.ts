import fc from 'fast-check';
import { expect } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { amountOf, type Amount } from '../../../src/money/amount.ts';
import { gatherLines } from '../../../src/money/billing/gather-lines.ts';
import type { Transaction } from '../../../src/money/billing/transactions.ts';
import { kindOfAccount, type AccountId } from '../../../src/money/ledger/accounts.ts';
import { balanceIn, decide, storedAt, type Command, type Draft } from '../../../src/money/ledger/decide.ts';
import { assertSound, type Entry, type EntryKind } from '../../../src/money/ledger/entries.ts';
import { commandOf, NEW_STEPS, someAccounts } from './commands.ts';
import { createModel } from './model.ts';
import { createSettling, expectedAtEnd, nextEnd } from './settling.ts';

const ACCOUNTS = someAccounts(3);
const RUNS = 25;

/**
 * Carries out at least so many random commands on the pure ledger. After each one it compares the answer and all balances
 * with a plain model, and checks that all that must always be true is true. Returns how many they were, and the kinds of
 * entries that they have booked.
 */
export function provePure(
  commands: number,
  seed: number,
): { readonly count: number; readonly kinds: ReadonlySet<EntryKind> } {
  let count = 0;
  const kinds = new Set<EntryKind>();
  const property = fc.property(fc.array(NEW_STEPS, { minLength: 1, maxLength: 80, size: 'max' }), (steps) => {
    const draft: Draft = { balances: new Map(), holds: new Map(), booked: [] };
    const [model, check, earlier] = [createModel(), createChecks(draft), [] as Command[]];
    const [past, settling] = [{ earlier, isBooked: model.isBooked }, createSettling()];
    const carryOut = (command: Command): void => {
      earlier.push(command);
      const before = check.fingerprint();
      const result = decide(draft, command);
      expect(result.ok ? (result.isRepeat ? 'repeat' : 'done') : result.why).toBe(model.apply(command));
      // What is refused or repeated changes nothing.
      if (!result.ok || result.isRepeat) expect(check.fingerprint()).toBe(before);
      check.afterStep();
      for (const account of [...ACCOUNTS.wallets, ACCOUNTS.earnings])
        expect(balanceIn(draft, account)).toEqual(model.balance(account));
      count += 1;
    };
    for (const step of steps) carryOut(commandOf(step, 'one', ACCOUNTS, past, settling));
    const end = () => nextEnd(past, settling, ACCOUNTS.wallets);
    for (let command = end(); command !== null; command = end()) carryOut(command);
    check.atEnd(expectedAtEnd(past, settling, ACCOUNTS.wallets));
    for (const { entry } of draft.booked) kinds.add(entry.kind);
  });
  for (let part = 0; count < commands; part += 1) fc.assert(property, { numRuns: RUNS, seed: seed + part });
  return { count, kinds };
}

/** What must always be true of a draft, counted from its entries and holds alone. */
function createChecks(draft: Draft) {
  const sums = new Map<AccountId, number>();
  const keys = new Map<string, string>();
  return {
    fingerprint: () => JSON.stringify([[...draft.balances], [...draft.holds], draft.booked.length]),
    afterStep: (): void => {
      for (const { entry } of draft.booked.slice(keys.size)) {
        assertSound(entry);
        expect(keys.has(entry.key)).toBe(false);
        keys.set(entry.key, JSON.stringify(entry));
        for (const { account, amount } of entry.postings) sums.set(account, (sums.get(account) ?? 0) + amount);
      }
      expect([...sums.values()].reduce((sum, amount) => sum + amount, 0)).toBe(0);
      const holds = [...draft.holds.values()];
      for (const [account, { posted, held, owed }] of draft.balances) {
        const open = holds.filter((hold) => hold.account === account && hold.state === 'open');
        expect(posted).toBe(sums.get(account) ?? 0);
        expect(held).toBe(open.reduce((sum, { amount }) => sum + amount, 0));
        expect(posted >= held && owed >= 0).toBe(true);
        // A debt stays only while there is no money to pay it.
        expect(owed === 0 || posted === held).toBe(true);
      }
      for (const [account, sum] of sums)
        if (storedAt(account) !== account) expect(balanceIn(draft, storedAt(account)).owed).toBe(0 - sum);
      for (const { amount, captured, state, entryKey } of holds) {
        expect(captured <= amount && captured > 0 === (state === 'captured')).toBe(true);
        expect(entryKey !== null && keys.has(entryKey)).toBe(state === 'captured');
      }
    },
    /** Once everything has ended: no entry has changed, the money is where it must be, and a bill adds up. */
    atEnd: (expected: ReadonlyMap<AccountId, number>): void => {
      const entries = draft.booked.map(({ entry }) => entry);
      expect(entries.map((entry) => JSON.stringify(entry))).toEqual([...keys.values()]);
      for (const [account, sum] of expected) expect([account, sums.get(account) ?? 0]).toEqual([account, sum]);
      const gathering = gatherLines('UTC');
      for (const entry of entries) if (entry.lines !== undefined) gathering.add(transactionOf(entry));
      const { amount, paid, due } = gathering.sums();
      expect(paid + due).toBe(amount);
    },
  };
}

/** A charge as its vendor sees it. */
function transactionOf({ kind, book, postings, lines = [], reason }: Entry): Transaction {
  const of = (account: string): Amount =>
    postings.find((posting) => kindOfAccount(posting.account) === account)?.amount ?? amountOf(0);
  const [wallet, owed] = [of('wallet'), amountOf(0 - of('receivable'))];
  const ids = { id: newId('txn'), vendorId: newId('ven'), deliveryId: null } as const;
  return { ...ids, kind, liveMode: false, book, wallet, owed, balance: null, lines, reason, at: 0 };
}
