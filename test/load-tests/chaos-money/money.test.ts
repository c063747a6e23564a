import { expect, test } from 'vitest';
import { compare, createAnswers } from '../../../load-tests/chaos-money/answers.ts';
import { FAULTS, parseMoneyOptions } from '../../../load-tests/chaos-money/options.ts';
import { judgeRun, lastLine, tableOf, type MoneyFigures } from '../../../load-tests/chaos-money/report.ts';
import { planFaults } from '../../../load-tests/plan-faults.ts';
import { amountOf } from '../../../src/money/amount.ts';
import type { Balance } from '../../../src/money/ledger/decide.ts';
import { aCapture, aCharge, aCredit, aHold, aWallet } from '../../money/ledger/commands.ts';

function optionsOf(...args: string[]) {
  const options = parseMoneyOptions(args);
  if (options === null) throw new Error('only the usage was asked for');
  return options;
}

const balanceOf = (posted: number, held = 0, owed = 0): Balance => ({
  posted: amountOf(posted),
  held: amountOf(held),
  owed: amountOf(owed),
  isFrozen: false,
});

test('[J162] what is lost, booked unasked or booked twice differs from the answers', () => {
  const [wallet, answers] = [aWallet(), createAnswers()];
  answers.tell(aCredit('in', wallet, 100), 'booked');
  answers.tell(aHold('held', wallet, 40), 'booked');
  answers.tell(aCapture('held', 'paid', wallet, 30, 20), 'booked');
  answers.tell(aHold('open', wallet, 15), 'booked');
  answers.tell(aCharge('no', wallet, 900), 'refused');
  answers.tell(aCharge('late', wallet, 1), 'not booked');
  const stored = {
    entries: new Set(['in', 'paid', 'repayment:paid']),
    holds: new Set(['held', 'open']),
    balances: new Map([[wallet, balanceOf(50, 15)]]),
  };
  const none = { lost: [], unasked: [], wrong: [] };
  expect(compare(answers, stored)).toEqual(none);
  // A debt that is not paid yet is the same money.
  const owing = { ...stored, balances: new Map([[wallet, balanceOf(70, 15, 20)]]) };
  expect(compare(answers, owing)).toEqual(none);
  expect(compare(answers, { ...stored, entries: new Set(['in']) })).toEqual({ ...none, lost: ['paid'] });
  expect(compare(answers, { ...stored, holds: new Set(['held']) })).toEqual({ ...none, lost: ['open'] });
  const more = new Set([...stored.entries, 'no', 'late', 'never sent']);
  expect(compare(answers, { ...stored, entries: more })).toEqual({ ...none, unasked: ['no', 'late', 'never sent'] });
  for (const balance of [balanceOf(20, 15), balanceOf(50, 0)]) {
    const { wrong } = compare(answers, { ...stored, balances: new Map([[wallet, balance]]) });
    expect(wrong).toEqual([expect.stringContaining('but the answers say 50 and 15')]);
  }
});

const GOOD: MoneyFigures = {
  options: optionsOf(),
  counts: { booked: 20_000, refused: 9, notBooked: 3, unknown: 4, errors: [] },
  commits: 900,
  failedCommits: 40,
  totals: { read: 180, unread: 5, wrong: [] },
  made: planFaults(FAULTS, 1).map(({ fault }) => ({ fault, atS: 0, healedS: 1 })),
  comparison: { lost: [], unasked: [], wrong: [] },
  check: { ok: true, entries: 20_000, accounts: 32, head: { sequence: 1, hash: '' }, faultCount: 0, faults: [] },
  wallS: 200,
};

test('[J162] the run names exactly what was wrong', () => {
  expect(judgeRun(GOOD).problems).toEqual([]);
  expect(lastLine(judgeRun(GOOD))).toMatch(/^ok 20000 commands in 900 transactions, 30 faults, 180 totals, 0 lost, 0 /);
  expect(tableOf(judgeRun(GOOD))).toHaveLength(13);
  const bad: readonly (readonly [Partial<MoneyFigures>, RegExp])[] = [
    [{ comparison: { ...GOOD.comparison, lost: ['a', 'b'] } }, /^2 facts lost, such as a, b$/],
    [{ comparison: { ...GOOD.comparison, unasked: ['a'] } }, /^1 facts booked although/],
    [{ comparison: { ...GOOD.comparison, wrong: ['a'] } }, /^1 accounts with another balance/],
    [{ totals: { ...GOOD.totals, wrong: ['a'] } }, /^1 wrong totals, such as a$/],
    [{ totals: { ...GOOD.totals, read: 179 } }, /^179 snapshots were read, 180 wanted$/],
    [{ check: { ...GOOD.check, ok: false, faults: ['a'] } }, /^1 faults of the ledger, such as a$/],
    [{ counts: { ...GOOD.counts, booked: 19_999 } }, /^19999 commands, 20000 wanted$/],
    [{ counts: { ...GOOD.counts, errors: ['a'] } }, /^1 errors that a caller should never see, such as a$/],
    [{ made: GOOD.made.slice(1) }, /^1 (step-downs|primary-kills|failed-commits) were not made$/],
  ];
  for (const [change, told] of bad)
    expect(judgeRun({ ...GOOD, ...change }).problems).toEqual([expect.stringMatching(told)]);
});

test('[J162] the command refuses a wrong option with one sentence', () => {
  expect(optionsOf('--step-downs', '3')).toMatchObject({ seconds: 180, faults: { ...FAULTS, 'step-downs': 3 } });
  expect(() => optionsOf('--wallets', '1')).toThrow('--wallets must be a whole number from 2 to 1000');
});
