import fc from 'fast-check';
import { expect } from 'vitest';
import type { AccountId } from '../../../src/money/ledger/accounts.ts';
import { balanceIn, decide, storedAt, type Command, type Draft } from '../../../src/money/ledger/decide.ts';
import { assertSound } from '../../../src/money/ledger/entries.ts';
import { aWallet, commandOf, createModel, EARNINGS, NEW_STEPS } from './commands.ts';

const WALLETS = [aWallet(), aWallet(), aWallet()];
const ACCOUNTS = [...WALLETS, EARNINGS];
const RUNS = 25;

/**
 * Carries out at least so many random commands on the pure ledger. After each one it compares the answer and all balances
 * with a plain model, and checks that all that must always be true is true. Returns how many they were.
 */
export function provePure(commands: number, seed: number): number {
  let count = 0;
  const property = fc.property(fc.array(NEW_STEPS, { minLength: 1, maxLength: 80, size: 'max' }), (steps) => {
    const draft: Draft = { balances: new Map(), holds: new Map(), booked: [] };
    const [model, check, earlier] = [createModel(), createChecks(draft), [] as Command[]];
    for (const step of steps) {
      const command = commandOf(step, 'one', WALLETS, earlier);
      earlier.push(command);
      const before = check.fingerprint();
      const result = decide(draft, command);
      expect(result.ok ? (result.isRepeat ? 'repeat' : 'done') : result.why).toBe(model.apply(command));
      // What is refused or repeated changes nothing.
      if (!result.ok || result.isRepeat) expect(check.fingerprint()).toBe(before);
      check.afterStep();
      for (const account of ACCOUNTS) {
        expect(balanceIn(draft, account)).toEqual(model.balance(account));
      }
      count += 1;
    }
  });
  for (let part = 0; count < commands; part += 1) fc.assert(property, { numRuns: RUNS, seed: seed + part });
  return count;
}

/** What must always be true of a draft, counted from its entries and holds alone. */
function createChecks(draft: Draft) {
  const sums = new Map<AccountId, number>();
  const keys = new Set<string>();
  return {
    fingerprint: () => JSON.stringify([[...draft.balances], [...draft.holds], draft.booked.length]),
    afterStep: (): void => {
      for (const { entry } of draft.booked.slice(keys.size)) {
        assertSound(entry);
        expect(keys.has(entry.key)).toBe(false);
        keys.add(entry.key);
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
  };
}
