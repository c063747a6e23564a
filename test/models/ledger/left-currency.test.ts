import { expect, test } from 'vitest';
import { newId, type VendorId } from '../../../src/domain/ids.ts';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import type { Vendor } from '../../../src/domain/vendors/vendor.ts';
import { createAuditLog } from '../../../src/models/audit/audit-log.ts';
import { SETTLEMENT_ACCOUNTS } from '../../../src/models/ledger/settlement/settlement-shapes.ts';
import { accountRowOf } from '../../../src/models/ledger/settlement/settlement-rows.ts';
import { ADJUSTMENTS } from '../../../src/models/ledger/wallets/adjustment-store.ts';
import { amountOf } from '../../../src/money/amount.ts';
import { bookOf, platformAccount, vendorAccount, type Book } from '../../../src/money/ledger/accounts.ts';
import { move } from '../../../src/money/ledger/entries.ts';
import { newAccount } from '../../../src/money/settlement/settlement.ts';
import { bookArrival, planDecision } from '../../../src/money/suspense/suspense.ts';
import { adjustWallet } from '../../../src/money/wallets/adjust-wallet.ts';
import { freezeWallet } from '../../../src/money/wallets/freeze-wallet.ts';
import { aVendor, NOON } from '../../builders.ts';
import { CLOCK, openHouse, storeDelivery } from '../../engines/mongo-house.ts';
import { aSuspense } from '../../money/suspense/a-suspense.ts';
import { aTopUp } from '../../money/top-ups/a-top-up.ts';
import { anAdjustment } from '../../money/wallets/an-adjustment.ts';
import { anEntry } from '../audit/an-entry.ts';

const house = await openHouse('left-currency');
const { adjustments, ledger, mongo, suspense, topUps, vendors } = house;
const ctx = { adjustments, audit: createAuditLog(mongo, CLOCK), ledger };
const LIVE_EUR = { liveMode: true, currency: 'EUR' };

const leave = (vendor: Vendor) => vendors.replace({ ...vendor, currency: 'USD', version: 2 }, 1, anEntry());

/** Each of these leaves money or debts in the old currency, or lets some arrive in it later. */
const TRACES: Record<string, (vendorId: VendorId, book: Book, liveMode: boolean) => Promise<unknown>> = {
  'an empty wallet': async (vendorId, book) => {
    for (const amount of [500, -500]) await adjust(vendorId, book, amount);
  },
  'a frozen wallet': (vendorId, book) =>
    ledger.post({ do: 'freeze', account: vendorAccount('wallet', vendorId, book), isFrozen: true }, null),
  'an owed order value, and no wallet': async (vendorId, book, liveMode) => {
    const account = accountRowOf(newAccount({ vendorId, liveMode, book }, NOON));
    await mongo.collection(SETTLEMENT_ACCOUNTS).insertOne(account);
  },
  'an expired top-up': async (vendorId, _book, liveMode) => {
    const topUp = aTopUp({ vendorId, liveMode });
    await topUps.add(topUp, 1);
    await topUps.end(topUp.id, { state: 'expired', reason: 'not_paid', isFinal: true });
  },
  'an adjustment that awaits its approval': (vendorId, _book, liveMode) =>
    adjustments.add(anAdjustment({ vendorId, liveMode }), anEntry()),
  'a delivery': (vendorId, _book, liveMode) => storeDelivery(house, { vendorId, liveMode }),
};

async function adjust(vendorId: VendorId, book: Book, amount: number) {
  const postings = move(amountOf(amount), platformAccount('adjustment', book), vendorAccount('wallet', vendorId, book));
  const entry = {
    key: newId('req'),
    kind: 'adjustment',
    book,
    postings,
    vendorId,
    about: vendorId,
    reason: null,
  } as const;
  expect(await ledger.post({ do: 'post', entry }, null)).toMatchObject({ ok: true });
}

test.each(Object.keys(TRACES).flatMap((name) => [true, false].map((liveMode) => ({ name, liveMode }))))(
  '[J338] a vendor with $name (live: $liveMode) keeps its currency',
  async ({ name, liveMode }) => {
    const vendor = aVendor();
    await vendors.add(vendor);
    await TRACES[name]?.(vendor.id, bookOf(liveMode, 'EUR'), liveMode);
    const refusal = await leave(vendor).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'update_not_allowed', told: { reason: 'wallet_in_use' } });
    expect(await vendors.find(vendor.id)).toMatchObject({ currency: 'EUR', version: 1 });
    // Other fields change, and traces in other currencies do not count.
    expect(await vendors.replace({ ...vendor, name: 'Renamed', version: 2 }, 1, anEntry())).toBe(true);
    const foreign = aVendor({ currency: 'GHS' });
    await vendors.add(foreign);
    await TRACES[name]?.(foreign.id, bookOf(liveMode, 'EUR'), liveMode).catch(() => {});
    expect(await leave(foreign)).toBe(true);
  },
);

test('[J338] a rejected adjustment has moved no money, so the currency may change', async () => {
  const vendor = aVendor();
  await vendors.add(vendor);
  const adjustment = anAdjustment({ vendorId: vendor.id });
  await adjustments.add(adjustment, anEntry());
  await mongo.collection(ADJUSTMENTS).updateOne({ _id: adjustment.id }, { $set: { state: 'rejected' } });
  expect(await leave(vendor)).toBe(true);
});

const ADDS = {
  'a top-up': async ({ id: vendorId }: Vendor) => (await topUps.add(aTopUp({ vendorId }), 1)) !== null,
  'an adjustment': ({ id: vendorId }: Vendor) => adjustments.add(anAdjustment({ vendorId }), anEntry()),
  'a credit of money in suspense': async ({ id: vendorId }: Vendor) => {
    const money = aSuspense({ vendorId });
    await suspense.add(money, bookArrival(money));
    const asked = { decision: 'credit', reason: 'the payer agrees', by: newId('stf') } as const;
    const step = planDecision(money, asked, { limit: 1000, alertMs: 1000, now: NOON });
    return step !== null && suspense.replace(step.next, step.command, anEntry());
  },
  'an adjustment by an operator': async ({ id: vendorId }: Vendor) => (await adjustByOperator(vendorId)) > 0,
  'a freeze by an operator': async ({ id: vendorId }: Vendor) =>
    (await freezeWallet(ctx, { ...LIVE_EUR, vendorId, isFrozen: true, reason: 'a check' })).isFrozen,
};

async function adjustByOperator(vendorId: VendorId): Promise<number> {
  const gift = { amount: amountOf(500), reason: 'a gift', reference: 'gift' };
  return (await adjustWallet(ctx, { ...LIVE_EUR, ...gift, vendorId })).posted;
}

test('[J398] an adjustment by an operator is booked once per reference, also if it is sent at once', async () => {
  const vendor = aVendor();
  await vendors.add(vendor);
  expect(await Promise.all([1, 2, 3].map(() => adjustByOperator(vendor.id)))).toEqual([500, 500, 500]);
});

test.each(Object.entries(ADDS))(
  '[J353] [J398] a change of currency and %s never both pass, and one in the old currency is refused',
  async (_name, add) => {
    const passes = async (work: Promise<boolean>): Promise<boolean> => {
      const result = await work.catch((error: unknown) => error);
      if (result instanceof Refusal) expect(['busy', 'update_not_allowed']).toContain(result.code);
      else expect(result).toBe(true);
      return result === true;
    };
    for (let round = 0; round < 10; round += 1) {
      const vendor = aVendor();
      await vendors.add(vendor);
      const [changed, added] = await Promise.all([passes(leave(vendor)), passes(add(vendor))]);
      expect(changed).toBe(!added);
    }
    const vendor = aVendor();
    await vendors.add(vendor);
    await leave(vendor);
    await expect(add(vendor)).rejects.toMatchObject({ code: 'busy' });
  },
);
