import { expect, test } from 'vitest';
import { SETTLEMENT_ACCOUNTS, SETTLEMENTS } from '../../../../src/models/ledger/settlement/settlement-shapes.ts';
import { verifyLedger } from '../../../../src/models/ledger/verify-ledger.ts';
import { aLine, chargeOf } from '../../../money/billing/charges.ts';
import type { SettlementStore } from '../../../../src/ports/money/settlements.ts';
import { addPoorVendor, addStaff, addVendor, call, openHouse } from '../../house.ts';
import { BOOK, openSettling } from './settling.ts';

const house = await openHouse('settle vendors', (settings) => ({
  ...settings,
  settlement: { ...settings.settlement, approvalAmount: 100_000 },
}));
const { ctx } = house;
const { period, dueAt, seal, turn, sell, list, payable, balance, change } = openSettling(house);
const FUNDS = 1_000_000_000;

test('[J192] a period is settled once, after its cut-off, however often and in however many processes', async () => {
  const vendor = await addVendor(house);
  await sell(vendor.id, 5000);
  await sell(vendor.id, 3000, 600);
  await seal();
  await turn(dueAt() - 1);
  expect(await list(vendor.id)).toEqual([]);
  await Promise.all([turn(dueAt()), turn(dueAt()), turn(dueAt())]);
  const [settlement, ...others] = await list(vendor.id);
  expect(others).toEqual([]);
  expect(settlement).toMatchObject({
    period: { to: period.to, date: period.date, cycle: 'daily', zone: 'UTC' },
    currency: 'EUR',
    amount: 8000,
    carriedIn: 0,
    carriedOut: 0,
    statement: {
      entries: 5,
      charges: [{ type: 'delivery', count: 2, amount: 1050, tax: 40 }],
      changes: { wallet: FUNDS - 1050, receivable: 0, payable: 8000 },
    },
  });
  await turn(dueAt() + 1000);
  expect((await list(vendor.id)).map(({ id, state }) => [id, state])).toEqual([[settlement?.id, 'paid']]);
  await seal();
  expect([await payable(vendor.id), await balance(vendor.id)]).toEqual([0, FUNDS - 1050 + 8000]);
});

test('[J197] an entry that comes late falls into the next statement, and none is lost or taken twice', async () => {
  const vendor = await addVendor(house);
  await sell(vendor.id, 1000);
  await seal();
  // Booked in the first period, and in the chain only after its statement.
  await sell(vendor.id, 70_000);
  await turn(dueAt());
  await seal();
  await turn(dueAt(1));
  await seal();
  await turn(dueAt(2));
  await turn(dueAt(3));
  const found = (await list(vendor.id)).toReversed();
  expect(found.map(({ amount }) => amount)).toEqual([1000, 70_000, 0]);
  const [first, second] = found;
  expect(second?.links.after).toBe(first?.links.upTo);
  expect(second?.period.from).toBe(first?.period.to);
  // The funds and a sale, then the late sale and a payment, then the other payment.
  expect(found.map(({ statement }) => statement.entries)).toEqual([3, 3, 1]);
  expect(await payable(vendor.id)).toBe(0);
});

test('[J195] an amount below the least one is carried over until it is enough', async () => {
  const vendor = await addVendor(house);
  await sell(vendor.id, 60);
  await seal();
  await turn(dueAt());
  expect(await list(vendor.id)).toMatchObject([{ state: 'closed', amount: 0, carriedOut: 60 }]);
  await sell(vendor.id, 40);
  await seal();
  await turn(dueAt(1));
  await turn(dueAt(1));
  expect((await list(vendor.id))[0]).toMatchObject({ state: 'paid', amount: 100, carriedIn: 60, carriedOut: 0 });
});

test('[J195] a vendor without a wallet is settled too, and a debt is paid from the settlement first', async () => {
  const { id } = await addPoorVendor(house);
  await sell(id, 5000, 0);
  await seal();
  await turn(dueAt());
  expect([(await list(id)).map(({ state }) => state), await balance(id)]).toEqual([['paid'], 5000]);
  const debtor = await addPoorVendor(house);
  const lines = [aLine('delivery', 450)];
  await ctx.ledger.post(chargeOf({ vendorId: debtor.id, book: BOOK, lines, over: 450 }), null);
  await sell(debtor.id, 5000, 0);
  await seal();
  await turn(dueAt());
  expect(await balance(debtor.id)).toBe(4550);
});

test('[J198] a settlement above the limit waits for finance, and its money is not paid by the next one', async () => {
  const vendor = await addVendor(house);
  await sell(vendor.id, 100_001);
  await seal();
  await turn(dueAt());
  await sell(vendor.id, 500);
  await seal();
  await turn(dueAt(1));
  await turn(dueAt(1));
  const [second, first] = await list(vendor.id);
  expect([first?.state, second?.state, second?.amount]).toEqual(['draft', 'paid', 500]);
  const route = `POST /settlement/vendors/${first?.id}/approve`;
  const [finance, admin] = [await addStaff(house, 'finance'), await addStaff(house, 'admin')];
  expect((await call(house, route, { token: admin })).status).toBe(403);
  expect((await call(house, route, { token: finance })).body).toMatchObject({ status: 'approved', amount: 100_001 });
  expect((await call(house, route, { token: finance })).status).toBe(200);
  const other = await call(house, route, { token: await addStaff(house, 'finance') });
  expect([other.status, other.body['code']]).toEqual([409, 'settlement_not_open']);
  const before = await balance(vendor.id);
  await Promise.all([turn(dueAt(1)), turn(dueAt(1))]);
  await turn(dueAt(1));
  expect((await balance(vendor.id)) - before).toBe(100_001);
  expect((await list(vendor.id))[1]).toMatchObject({ state: 'paid' });
  const { body } = await call(house, 'GET /audit?action=settlement.approve', { token: admin });
  expect(body.data?.filter((entry) => entry['object_id'] === first?.id)).toHaveLength(1);
});

/** The store of a process that dies before this call or after it: from then on it does nothing. */
function dyingAt(step: keyof SettlementStore, isAfter: boolean): SettlementStore {
  let isDead = false;
  const mortal =
    (name: string, call: (...given: unknown[]) => Promise<unknown>) =>
    async (...given: unknown[]): Promise<unknown> => {
      if (isDead || (name === step && !isAfter)) isDead = true;
      if (isDead) throw new Error('the process died');
      const result = await call(...given);
      isDead = name === step;
      if (isDead) throw new Error('the process died');
      return result;
    };
  const methods = Object.entries(ctx.settlements).map(([name, call]) => [name, mortal(name, call as never)]);
  return Object.fromEntries(methods) as SettlementStore;
}

test('[J197] if a process dies between any two writes, the next turn goes on, and nothing is paid twice', async () => {
  const vendor = await addVendor(house);
  await sell(vendor.id, 5000);
  await seal();
  const steps = ['listDueAccounts', 'newestLink', 'readMembers', 'issue', 'listDue', 'replace'] as const;
  for (const step of steps)
    for (const isAfter of [false, true]) await turn(dueAt(), { settlements: dyingAt(step, isAfter) });
  await turn(dueAt());
  expect(await list(vendor.id)).toMatchObject([{ state: 'paid', amount: 5000 }]);
  expect(await balance(vendor.id)).toBe(FUNDS - 450 + 5000);
});

test('[J192] a change of zone or cycle counts from the next period on, and no entry is lost', async () => {
  const vendor = await addVendor(house);
  await sell(vendor.id, 1000);
  await seal();
  await turn(dueAt() - 1);
  await change(vendor.id, { timezone: 'Pacific/Kiritimati', settlement: { cycle: 'weekly', cutOff: '04:00' } });
  await turn(dueAt());
  expect(await list(vendor.id)).toMatchObject([{ period: { to: period.to, cycle: 'daily', zone: 'UTC' } }]);
  await sell(vendor.id, 2000);
  await seal();
  await turn(dueAt(8));
  const [latest] = await list(vendor.id);
  expect(latest).toMatchObject({ period: { cycle: 'weekly', zone: 'Pacific/Kiritimati', from: period.to } });
  expect(latest?.amount).toBe(2000);
});

test('[J194] a statement that differs from the ledger is not issued, and pays nothing', async () => {
  const vendor = await addVendor(house);
  await sell(vendor.id, 5000);
  await seal();
  const { settlements } = ctx;
  const readMembers: typeof settlements.readMembers = async (span, add) => {
    const sums = await settlements.readMembers(span, add);
    return span.vendorId === vendor.id && !span.liveMode
      ? { ...sums, payable: (sums.payable + 1) as typeof sums.payable }
      : sums;
  };
  await turn(dueAt(), { settlements: { ...settlements, readMembers } });
  const told = house.lines.filter(
    ({ level, fields }) => level === 'error' && String(fields['error']).includes('differs'),
  );
  expect([told.length, await list(vendor.id), await balance(vendor.id)]).toEqual([1, [], FUNDS - 450]);
  await turn(dueAt());
  expect(await list(vendor.id)).toEqual([]);
  await turn(dueAt() + 30_000);
  expect(await list(vendor.id)).toHaveLength(1);
});

test('[J230] a settlement that cannot be paid is tried again after pauses that grow, until it is paid', async () => {
  const vendor = await addVendor(house);
  await sell(vendor.id, 5000);
  await seal();
  const { settlements } = ctx;
  const replace: typeof settlements.replace = (next, command, entry) => {
    if (next.vendorId === vendor.id && command !== null) throw new Error('the ledger is away');
    return settlements.replace(next, command, entry);
  };
  const failing = { settlements: { ...settlements, replace } };
  await turn(dueAt(), failing);
  expect(await list(vendor.id)).toMatchObject([{ state: 'approved', failures: 1, dueAt: dueAt() + 30_000 }]);
  await turn(dueAt() + 29_999, failing);
  expect(await list(vendor.id)).toMatchObject([{ failures: 1 }]);
  await turn(dueAt() + 30_000, failing);
  expect(await list(vendor.id)).toMatchObject([{ state: 'approved', failures: 2, dueAt: dueAt() + 90_000 }]);
  // A row of an earlier server does not count them.
  await house.mongo.collection(SETTLEMENTS).updateOne({ vendorId: vendor.id }, { $unset: { failures: '' } });
  await turn(dueAt() + 90_000, failing);
  expect(await list(vendor.id)).toMatchObject([{ failures: 1, dueAt: dueAt() + 120_000 }]);
  await turn(dueAt() + 120_000);
  expect(await list(vendor.id)).toMatchObject([{ state: 'paid', failures: 0, dueAt: null }]);
});

test('[J196] after payments and amounts carried over, the ledger verifies, and what is owed is what the accounts carry', async () => {
  const sales = [[60], [60, 39], [60, 40], [5000], [99_000, 7]];
  const vendors = await Promise.all(sales.map(() => addVendor(house)));
  for (const [index, { id }] of vendors.entries()) for (const value of sales[index] ?? []) await sell(id, value);
  await seal();
  await turn(dueAt());
  await turn(dueAt());
  await seal();
  expect((await verifyLedger(house.mongo, () => undefined)).faults).toEqual([]);
  const accounts = await house.mongo
    .collection(SETTLEMENT_ACCOUNTS)
    .find({ book: BOOK, vendorId: { $in: vendors.map(({ id }) => id) } }, { useBigInt64: true })
    .toArray();
  const carriedOf = new Map(accounts.map(({ vendorId, carried }) => [vendorId, Number(carried)]));
  expect(vendors.map(({ id }) => carriedOf.get(id))).toEqual([60, 99, 0, 0, 0]);
  for (const { id } of vendors) expect([id, await payable(id)]).toEqual([id, carriedOf.get(id)]);
});
