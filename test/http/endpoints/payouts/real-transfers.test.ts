import { expect, test } from 'vitest';
import { advancePayouts } from '../../../../src/dispatch/due/pay-out.ts';
import type { CourierId, PayoutId } from '../../../../src/domain/ids.ts';
import { verifyLedger } from '../../../../src/models/ledger/verify-ledger.ts';
import { makePayouts } from '../../../../src/money/payouts/make-payouts.ts';
import { createFlutterwaveGateway } from '../../../../src/process/gateways/flutterwave-gateway.ts';
import { createPaystackGateway } from '../../../../src/process/gateways/paystack-gateway.ts';
import { openFakeFlutterwave } from '../../../process/gateways/fake-flutterwave.ts';
import { openFakePaystack } from '../../../process/gateways/fake-paystack.ts';
import { HOUR_MS, isOurs, openPayees } from './payees.ts';

const common = { realMs: 5000, homeUrl: 'https://delivery.example' };
const GATEWAYS = { paystack: openPaystack, flutterwave: openFlutterwave };

async function openPaystack() {
  const fake = await openFakePaystack();
  const gateway = createPaystackGateway({ ...common, key: 'sk_test_abcdefghijkl', url: fake.url });
  return {
    gateway,
    made: () => fake.transfers.size,
    lose: fake.loseNextTransfer,
    succeed: (id: PayoutId) => fake.changeTransfer(id, { status: 'success' }),
    wait: (id: PayoutId) => fake.changeTransfer(id, { status: 'otp' }),
    takeBack: (id: PayoutId) => fake.changeTransfer(id, { status: 'reversed' }),
  };
}

async function openFlutterwave() {
  const fake = await openFakeFlutterwave();
  const [key, secretHash] = ['FLWSECK_TEST-abcdefghijkl', 'a-secret-hash-of-ours'];
  const gateway = createFlutterwaveGateway({ ...common, key, secretHash, url: fake.url });
  return {
    gateway,
    made: () => fake.transfers.size,
    lose: () => fake.faults.push('lost'),
    succeed: (id: PayoutId) => fake.changeTransfer(id, { status: 'SUCCESSFUL' }),
    wait: (id: PayoutId) => fake.changeTransfer(id, { requires_approval: 1, is_approved: 0 }),
    takeBack: (id: PayoutId) => fake.changeTransfer(id, { status: 'FAILED', complete_message: 'Returned' }),
  };
}

test.each(Object.entries(GATEWAYS))(
  '[J314] %s pays couriers, and money that it does not pay comes back',
  async (name, open) => {
    const { house, ctx, later, earned, stateOf, batchOf, earnerOf } = await openPayees(`payouts by ${name}`);
    const { gateway, made, lose, succeed, wait, takeBack } = await open();
    const gateways = [gateway];
    const couriers: CourierId[] = [];
    for (const digits of ['00', '01', '02', '03']) couriers.push(await earnerOf('NGN', digits));
    const [refused] = couriers;
    const account = refused === undefined ? null : await ctx.bankAccounts.find(refused);
    if (account === null) throw new Error('the courier has an account');
    const details = { holderName: 'Ada', country: 'GH', form: 'local', number: '0690000000', bankCode: '044' };
    const abroad = { ...account, sealedDetails: ctx.vault.seal(JSON.stringify(details)), version: account.version + 1 };
    const entry = ctx.audit.draft({
      action: 'bank_account.set',
      objectId: account.courierId,
      vendorId: null,
      liveMode: false,
      changes: {},
    });
    expect(await ctx.bankAccounts.put(abroad, entry)).toBe(true);
    await makePayouts(ctx, await batchOf('NGN', gateways));
    const payouts = await Promise.all(
      couriers.map(async (courierId) => (await ctx.payouts.list({ courierId }, { limit: 1, after: null })).items[0]),
    );
    expect(payouts.map((payout) => payout?.gateway)).toEqual([name, name, name, name]);
    const ids = payouts.map((payout) => payout?.id as PayoutId);
    const [abroadId, paid, waiting, back] = ids as [PayoutId, PayoutId, PayoutId, PayoutId];
    const turn = (ms: number) =>
      advancePayouts({ ...later(ms), gateways }, { gateway: gateway.name, liveMode: false })(isOurs);
    const states = () => Promise.all(ids.map(stateOf));
    lose();
    await turn(0);
    expect(await states()).toEqual(['failed', 'processing', 'processing', 'processing']);
    expect(await ctx.payouts.find(abroadId)).toMatchObject({ reason: 'refused_by_gateway', dueAt: null });
    for (const id of [paid, back]) succeed(id);
    wait(waiting);
    await turn(2 * HOUR_MS);
    expect(await states()).toEqual(['failed', 'paid', 'needs_action', 'paid']);
    takeBack(back);
    succeed(waiting);
    await turn(50 * HOUR_MS);
    expect(await states()).toEqual(['failed', 'paid', 'paid', 'reversed']);
    expect(await Promise.all(couriers.map((id) => earned(id, 'NGN')))).toEqual([900, 0, 0, 900]);
    expect(made()).toBe(3);
    expect(await verifyLedger(house.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
  },
);
