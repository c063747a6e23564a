import fc from 'fast-check';
import { expect } from 'vitest';
import type { Balance, Command, LedgerResult } from '../../../src/money/ledger/decide.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import { commandOf, someAccounts, STEPS } from '../../money/ledger/commands.ts';
import { endAll, type Past } from '../../money/ledger/later-commands.ts';
import { createModel, type Told } from '../../money/ledger/model.ts';

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
    const [name, own, earlier] = [`${seed}:${runs}`, someAccounts(2), [] as Command[]];
    const accounts = [...own.wallets, own.earnings];
    const booked = new Set<string>();
    const past: Past = { earlier, isBooked: (key) => booked.has(key) };
    let done: readonly Command[] = [];
    for (const [one, other] of turns) {
      const pair = [one, ...(other === null ? [] : [other])].map((step) => {
        const command = commandOf(step, name, own, past);
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
    // Then nothing is on its way any more, and nothing belongs to nobody.
    for (const command of endAll(past, own.wallets[0] ?? own.earnings)) {
      expect(toldOf(await ledgerOf(count).post(command, null))).toBe('done');
      count += 1;
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
