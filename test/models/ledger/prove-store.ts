import fc from 'fast-check';
import { expect } from 'vitest';
import { amountOf } from '../../../src/money/amount.ts';
import type { Balance, Command, LedgerResult } from '../../../src/money/ledger/decide.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import { aWallet, commandOf, createModel, EARNINGS, STEPS, type Told } from '../../money/ledger/commands.ts';

/** A step alone, or two steps at once. */
const TURNS = fc.array(fc.tuple(STEPS, fc.option(STEPS, { freq: 2 })), { minLength: 1, maxLength: 40, size: 'max' });
const RUNS = 2;

/**
 * Sends at least so many random commands to ledgers on one database, some of them two at once. After each one it compares
 * answers and balances with a plain model. Two at once must have happened in one order or the other.
 * @param report is told how many were sent, from time to time
 */
export async function proveStore(
  ledgers: readonly Ledger[],
  commands: number,
  seed: number,
  report: (count: number) => Promise<void>,
): Promise<void> {
  let [count, runs] = [0, 0];
  const ledgerOf = (at: number): Ledger => {
    const ledger = ledgers[at % ledgers.length];
    if (ledger === undefined) throw new Error('there is a ledger');
    return ledger;
  };
  const property = fc.asyncProperty(TURNS, async (turns) => {
    runs += 1;
    const [name, wallets, earlier] = [`${seed}:${runs}`, [aWallet(), aWallet()], [] as Command[]];
    // All runs share the courier, so only what this run has added to their account counts.
    const accounts = [...wallets, EARNINGS];
    const earned = (await ledgerOf(0).balance(EARNINGS)).posted;
    let done: readonly Command[] = [];
    for (const [one, other] of turns) {
      const pair = [one, ...(other === null ? [] : [other])].map((step) => {
        const command = commandOf(step, name, wallets, earlier);
        earlier.push(command);
        return command;
      });
      const told = (await Promise.all(pair.map((command, at) => ledgerOf(count + at).post(command, null)))).map(toldOf);
      count += pair.length;
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
        const balances = accounts.map((account) => {
          const before = account === EARNINGS ? earned : 0;
          const balance = model.balance(account);
          return { ...balance, posted: amountOf(before + balance.posted) };
        });
        return { order, seen: { told: answers, stored: balances } };
      });
      const fitting = outcomes.find(({ seen }) => JSON.stringify(seen) === JSON.stringify({ told, stored }));
      if (fitting === undefined) expect({ told, stored }).toEqual(outcomes[0]?.seen);
      done = [...done, ...(fitting?.order ?? []).flatMap((at) => pair[at] ?? [])];
    }
  });
  for (let part = 0; count < commands; part += 1) {
    await fc.assert(property, { numRuns: RUNS, seed: seed + part });
    await report(count);
  }
}

function toldOf(result: LedgerResult): Told {
  return result.ok ? (result.isRepeat ? 'repeat' : 'done') : result.why;
}
