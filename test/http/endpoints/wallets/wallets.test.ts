import { expect, test } from 'vitest';
import { newId } from '../../../../src/domain/ids.ts';
import { amountOf } from '../../../../src/money/amount.ts';
import { adjustWallet } from '../../../../src/money/wallets/adjust-wallet.ts';
import { addPoorVendor, addStaff, call, openHouse } from '../../house.ts';

const house = await openHouse('wallets');
const { ctx } = house;
const [vendor, other] = await Promise.all([addPoorVendor(house), addPoorVendor(house)]);

const adjust = (amount: number, reference: string, liveMode = false) =>
  adjustWallet(ctx, {
    vendorId: vendor.id,
    liveMode,
    currency: 'EUR',
    amount: amountOf(amount),
    reason: 'a gift',
    reference,
  });
const balance = async (token: string) => (await call(house, 'GET /wallets/balance', { token })).body;

test('[J11] a vendor reads the balance of its own wallet, in the mode of its key', async () => {
  const empty = {
    object: 'wallet_balance',
    currency: 'EUR',
    available: 0,
    held: 0,
    owed: 0,
    pending: 0,
    frozen: false,
    live_mode: false,
  };
  expect(await balance(vendor.key)).toEqual(empty);
  await adjust(5_000_000_000, 'first');
  await adjust(70, 'live', true);
  expect(await balance(vendor.key)).toEqual({ ...empty, available: 5_000_000_000 });
  expect(await balance(other.key)).toEqual(empty);
  const { key } = await ctx.credentials.addVendorKey(vendor.id, true);
  expect(await balance(key)).toEqual({ ...empty, available: 70, live_mode: true });
  const token = await addStaff(house, 'finance');
  const ask = async (query: string, caller = token) =>
    (await call(house, `GET /wallets/balance?${query}`, { token: caller })).body;
  expect(await ask(`vendor_id=${vendor.id}`)).toMatchObject({ available: 70, live_mode: true });
  expect(await ask(`vendor_id=${vendor.id}&live_mode=false`)).toMatchObject({ available: 5_000_000_000 });
  expect(await ask('live_mode=false')).toMatchObject({ status: 422 });
  for (const caller of [token, other.key]) {
    const stranger = caller === token ? newId('ven') : vendor.id;
    expect(await ask(`vendor_id=${stranger}`, caller)).toMatchObject({ status: 404, code: 'vendor_not_found' });
  }
  expect(await ask(`vendor_id=${vendor.id}`, await addStaff(house, 'dispatcher'))).toMatchObject({ status: 403 });
});

test('[J12] an adjustment is booked once per reference, and audited with the person who made it', async () => {
  const origin = { actor: { type: 'operator', id: 'ada' }, requestId: null, network: null } as const;
  const { posted } = await adjust(100, 'start');
  for (const _try of [1, 2]) {
    const after = await ctx.audit.within(origin, () => adjust(-30, 'ref'));
    expect(after).toEqual({ posted: posted - 30, held: 0, owed: 0, isFrozen: false });
  }
  await expect(adjust(-31, 'ref')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  await expect(adjust(-6_000_000_000, 'too much')).rejects.toMatchObject({ code: 'insufficient_funds' });
  const { items } = await ctx.audit.list({ action: 'wallet.adjust', actorId: 'ada' }, { limit: 20, after: null });
  expect(items).toMatchObject([
    { vendorId: vendor.id, liveMode: false, changes: { amount: { to: -30 }, reason: { to: 'a gift' } } },
  ]);
});
