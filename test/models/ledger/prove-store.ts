import fc from 'fast-check';
import { expect } from 'vitest';
import type { Balance, Command, LedgerResult } from '../../../src/money/ledger/decide.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import type { AccountId } from '../../../src/money/ledger/accounts.ts';
import type { Past } from '../../money/ledger/book.ts';
import { commandOf, someAccounts, STEPS } from '../../money/ledger/commands.ts';
import { createModel, type Told } from '../../money/ledger/model.ts';
import { createSettling, expectedAtEnd, nextEnd } from '../../money/ledger/settling.ts';

/** A step alone, or two steps at once. */
const TURNS = fc.array(fc.tuple(STEPS, fc.option(STEPS, { freq: 2 })), { minLength: 1, maxLength: 40, size: 'max' });
const RUNS = 2;

/**
 * Sends at least so many random commands to ledgers on one database, some of them two at once. After each one it compares
 * answers and balances with a plain model. Two at once must have happened in one order or the other.
 * @param report is told how many were sent, from time to time
 * @returns what accounts without a floor must have in the end
 */
export async function proveStore(
  ledgers: readonly Ledger[],
  commands: number,
  seed: number,
  report: (count: number) => Promise<void>,
): Promise<ReadonlyMap<AccountId, number>> {
  const expected = new Map<AccountId, number>();
  let [count, runs] = [0, 0];
  const ledgerOf = (at: number): Ledger => {
    const ledger = ledgers[at % ledgers.length];
    if (ledger === undefined) throw new Error('there is a ledger');
    return ledger;
  };
  const property = fc.asyncProperty(TURNS, async (turns) => {
    runs += 1;
    const [name, own, earlier] = [`${seed}:${runs}`, someAccounts(2), [] as Command[]];
    const accounts = [...own.wallets, own.earnings];
    const booked = new Set<string>();
    const settling = createSettling();
    const past: Past = { earlier, isBooked: (key) => booked.has(key) };
    let done: readonly Command[] = [];
    for (const [one, other] of turns) {
      const pair = [one, ...(other === null ? [] : [other])].map((step) => {
        const command = commandOf(step, name, own, past, settling);
        earlier.push(command);
        return command;
      });
      const told = (await Promise.all(pair.map((command, at) => ledgerOf(count + at).post(command, null)))).map(toldOf);
      count += pair.length;
      for (const [at, command] of pair.entries())
        if ('entry' in command && told[at] === 'done') booked.add(command.entry.key);
      const stored: Balance[] = [];
      for (const account of accounts) stored.push(await ledgerOf(count).balance(account));
      const orders =
        pair.length === 1
          ? [[0]]
          : [
              [0, 1],
              [1, 0],
            ];
      const outcomes = orders.map((order) => {
        const model = createModel();
        for (const command of done) model.apply(command);
        const answers: Told[] = [];
        for (const at of order) if (pair[at] !== undefined) answers[at] = model.apply(pair[at]);
        return { order, seen: { told: answers, stored: accounts.map(model.balance) } };
      });
      const fitting = outcomes.find(({ seen }) => JSON.stringify(seen) === JSON.stringify({ told, stored }));
      if (fitting === undefined) expect({ told, stored }).toEqual(outcomes[0]?.seen);
      done = [...done, ...(fitting?.order ?? []).flatMap((at) => pair[at] ?? [])];
    }
    const end = (): Command | null => nextEnd(past, settling, own.wallets);
    for (let command = end(); command !== null; command = end()) {
      earlier.push(command);
      expect(toldOf(await ledgerOf(count).post(command, null))).toBe('done');
      if ('entry' in command) booked.add(command.entry.key);
      count += 1;
    }
    for (const [account, sum] of expectedAtEnd(past, settling, own.wallets))
      expected.set(account, (expected.get(account) ?? 0) + sum);
  });
  for (let part = 0; count < commands; part += 1) {
    await fc.assert(property, { numRuns: RUNS, seed: seed + part });
    await report(count);
  }
  return expected;
}

function toldOf(result: LedgerResult): Told {
  return result.ok ? (result.isRepeat ? 'repeat' : 'done') : result.why;
}
