import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import { assertSound } from '../../../src/money/ledger/entries.ts';
import { openingAt } from '../../../src/money/settlement/periods.ts';
import { planSettlement } from '../../../src/money/settlement/plan-settlement.ts';
import {
  moveSettlement,
  newAccount,
  putOff,
  type SettlementAccount,
} from '../../../src/money/settlement/settlement.ts';
import { agreesWith, gatherStatement, sumOf, type Member } from '../../../src/money/settlement/statement.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { aVendor, NOON } from '../../builders.ts';
import { aLine } from '../billing/charges.ts';
import { anAccount } from './an-account.ts';

const { settlement: RULES } = defaultSettings();
const OWNER = aVendor();
const changes = (wallet: number, receivable = 0, payable = 0) => ({
  wallet: amountOf(wallet),
  receivable: amountOf(receivable),
  payable: amountOf(payable),
});
const member = (kind: Member['kind'], of: Member['changes'], lines: Member['lines'] = []): Member => ({
  kind,
  changes: of,
  lines,
});

function statementOf(members: readonly Member[]) {
  const gathering = gatherStatement();
  for (const one of members) gathering.add(one);
  return gathering.statement();
}

const settle = (account: SettlementAccount, members: readonly Member[], rules = RULES) =>
  planSettlement(account, OWNER, { statement: statementOf(members), upTo: account.link + 1 }, rules, NOON);

test('[J193] a statement has the sums of order values, of charges by purpose, and of all else', () => {
  const statement = statementOf([
    member('order_value', changes(0, 0, 5000)),
    member('charge', changes(-1400, -100), [aLine('delivery', 1300, 90), aLine('tip', 200)]),
    member('charge', changes(-450), [aLine('delivery', 450, 30)]),
    member('repayment', changes(-60, 60)),
    member('top_up', changes(9000)),
    member('suspense_credit', changes(30)),
    member('adjustment', changes(-70)),
    member('refund', changes(150), [aLine('delivery', -150, -10)]),
    member('settlement', changes(700, 0, -700)),
  ]);
  expect(statement).toEqual({
    entries: 9,
    sections: [
      { section: 'order_values', count: 1, amount: 5000 },
      { section: 'charges', count: 2, amount: -1950 },
      { section: 'refunds', count: 1, amount: 150 },
      { section: 'adjustments', count: 1, amount: -70 },
      { section: 'top_ups', count: 2, amount: 9030 },
    ],
    charges: [
      { type: 'delivery', count: 2, amount: 1750, tax: 120 },
      { type: 'tip', count: 1, amount: 200, tax: 0 },
    ],
    paidOut: 700,
    changes: { wallet: 7900, receivable: -40, payable: 4300 },
  });
  expect(agreesWith(statement, statement.changes)).toBe(true);
  expect(sumOf(statement, 'charges')).toBe(-1950);
});

test('[J194] a statement that differs from the ledger by one minor unit does not agree with it', () => {
  const good = statementOf([
    member('charge', changes(-450), [aLine('delivery', 450)]),
    member('order_value', changes(0, 0, 100)),
  ]);
  expect(agreesWith(good, changes(-450, 0, 100))).toBe(true);
  for (const ledger of [changes(-449, 0, 100), changes(-450, 1, 100), changes(-450, -1, 101), changes(-449, 0, 99)])
    expect(agreesWith(good, ledger)).toBe(false);
  const wrongLines = statementOf([member('charge', changes(-450), [aLine('delivery', 451)])]);
  expect(agreesWith(wrongLines, changes(-450))).toBe(false);
  const noSection = statementOf([member('repayment', changes(-450))]);
  expect(agreesWith(noSection, changes(-450))).toBe(false);
});

test('[J195] a settlement pays all that is owed, or carries it over', () => {
  const value = (amount: number) => [member('order_value', changes(0, 0, amount))];
  const plan = (carried: number, members: readonly Member[]) => {
    const { settlement, next } = settle(anAccount({ carried: amountOf(carried) }), members);
    return [settlement?.state ?? null, settlement?.amount ?? 0, next.carried];
  };
  expect(plan(0, value(5000))).toEqual(['approved', 5000, 0]);
  expect(plan(0, value(99))).toEqual(['closed', 0, 99]);
  expect(plan(99, value(1))).toEqual(['approved', 100, 0]);
  expect(plan(-300, value(200))).toEqual(['closed', 0, -100]);
  expect(plan(-300, value(500))).toEqual(['approved', 200, 0]);
  expect(plan(0, value(10_000_000))).toEqual(['approved', 10_000_000, 0]);
  expect(plan(0, value(10_000_001))).toEqual(['draft', 10_000_001, 0]);
  expect(plan(50, [])).toEqual([null, 0, 50]);
  // The payment of the settlement before is part of a statement, and was counted when it was made.
  expect(plan(0, [member('settlement', changes(5000, 0, -5000))])).toEqual(['closed', 0, 0]);
});

test('[J192] a settlement has the links that it has read, and the next period is settled after its own cut-off', () => {
  const account = anAccount({ link: 7, failures: 2 });
  const { settlement, next } = settle(account, [member('order_value', changes(0, 0, 5000))]);
  expect(settlement).toMatchObject({
    id: expect.stringMatching(/^stl_/) as string,
    period: account.period,
    links: { after: 7, upTo: 8 },
    dueAt: NOON,
    approvedBy: null,
  });
  expect([next.dueAt, next.failures]).toEqual([next.period.to + RULES.issueAfterMs, 0]);
  const draft = settle(account, [member('order_value', changes(0, 0, 20_000_000))]).settlement;
  const closed = settle(account, [member('order_value', changes(0, 0, 1))]).settlement;
  expect([draft?.dueAt, closed?.dueAt]).toEqual([NOON + RULES.alertMs, null]);
  // A period without entries pays what was carried over, if that is enough by now.
  expect(settle(anAccount({ carried: amountOf(5000) }), []).settlement).toMatchObject({ amount: 5000 });
});

test('[J192] the account of a vendor begins with its first money, and nothing is carried', () => {
  const wallet = { vendorId: newId('ven'), liveMode: true, book: 'live.EUR' } as const;
  const account = newAccount(wallet, NOON);
  expect(account).toEqual({
    ...wallet,
    period: openingAt(NOON),
    link: 0,
    carried: 0,
    dueAt: NOON,
    failures: 0,
    version: 1,
  });
});

test('[J195] over any periods, what was paid and what is carried sum to what was owed', () => {
  const amounts = fc.array(fc.array(fc.integer({ min: -500, max: 500 })), { maxLength: 20 });
  const property = fc.property(amounts, fc.integer({ min: 1, max: 1000 }), (periods, minAmount) => {
    let account = anAccount();
    let [owed, paid, before] = [0, 0, 0];
    for (const values of periods) {
      const booked = values.map((amount) => member('order_value', changes(0, 0, amount)));
      const earlier = before === 0 ? [] : [member('settlement', changes(before, 0, -before))];
      const { settlement, next } = settle(account, [...booked, ...earlier], { ...RULES, minAmount });
      owed += values.reduce((sum, amount) => sum + amount, 0);
      before = settlement?.amount ?? 0;
      paid += before;
      expect(paid + next.carried).toBe(owed);
      expect(before === 0 || before >= minAmount).toBe(true);
      expect([next.period.from, next.version, next.link]).toEqual([
        account.period.to,
        account.version + 1,
        account.link + 1,
      ]);
      account = next;
    }
  });
  fc.assert(property);
});

test('[J196] a settlement moves only along its table, and its payment is one sound entry', () => {
  const { settlement } = settle(anAccount(), [member('order_value', changes(0, 0, 20_000_000))]);
  if (settlement === null) throw new Error('it pays');
  expect([settlement.state, moveSettlement(settlement, 'pay', NOON)]).toEqual(['draft', null]);
  const approved = moveSettlement(settlement, 'approve', NOON, { approvedBy: 'stf_1' });
  if (approved === null) throw new Error('it is approved');
  expect([approved.command, approved.settlement.dueAt, approved.settlement.version]).toEqual([null, NOON, 2]);
  const paid = moveSettlement(approved.settlement, 'pay', NOON);
  if (paid?.command?.do !== 'post') throw new Error('it is paid');
  assertSound(paid.command.entry);
  expect(paid.command.entry).toMatchObject({ key: `settlement:${settlement.id}`, kind: 'settlement' });
  const putOffOnce = putOff(approved.settlement, NOON + 30_000);
  expect(putOffOnce).toEqual({ ...approved.settlement, dueAt: NOON + 30_000, failures: 1, version: 3 });
  expect(moveSettlement(putOffOnce, 'pay', NOON)?.settlement).toMatchObject({ failures: 0, version: 4 });
  expect([paid.settlement.state, paid.settlement.dueAt]).toEqual(['paid', null]);
  for (const verb of ['approve', 'pay'] as const) expect(moveSettlement(paid.settlement, verb, NOON)).toBeNull();
});

test('[J366] a delivery that the platform pays counts in a statement, and costs nothing there', () => {
  const statement = statementOf([
    member('charge', changes(-450), [aLine('delivery', 450, 30)]),
    member('platform_charge', changes(0)),
  ]);
  expect(statement.sections).toContainEqual({ section: 'charges', count: 2, amount: -450 });
  expect(statement.charges).toEqual([{ type: 'delivery', count: 1, amount: 450, tax: 30 }]);
  expect(agreesWith(statement, changes(-450))).toBe(true);
});
