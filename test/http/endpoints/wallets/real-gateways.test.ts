import { describe, expect, test } from 'vitest';
import { openGateways } from '../../../../src/process/gateways/open-gateways.ts';
import type { TopUp } from '../../../../src/money/top-ups/top-up.ts';
import { DRIVERS, type Sent } from '../../../process/gateways/drivers.ts';
import { openFakeFlutterwave } from '../../../process/gateways/fake-flutterwave.ts';
import { openFakePaystack } from '../../../process/gateways/fake-paystack.ts';
import { addServer, call, openHouse, type House } from '../../house.ts';
import { aPayer } from './paying.ts';

const house = await openHouse('real_gateways');

/** The same house, whose server has these gateways. */
async function houseWith(gateways: House['ctx']['gateways']): Promise<House> {
  const ctx = { ...house.ctx, gateways };
  return { ...house, ctx, ...(await addServer(house, { gateways })) };
}

describe.each(Object.entries(DRIVERS))('%s', async (name, drive) => {
  const driver = await drive();
  const own = await houseWith([driver.gateway]);
  const send = ([body, headers]: Sent) =>
    call(own, `POST /gateways/${name}/callbacks`, { raw: body.toString(), headers });

  async function start(amount: number) {
    const payer = await aPayer(own, driver.currency);
    const { status, body } = await payer.fund({ amount });
    expect([status, body['gateway']]).toEqual([202, name]);
    const topUp = await own.ctx.topUps.find(body['id'] as TopUp['id']);
    if (topUp === null) throw new Error('the top-up is stored');
    return { payer, topUp };
  }

  test('[J213] a proven callback credits nothing, and a payment that is confirmed is credited once', async () => {
    const { payer, topUp } = await start(2500);
    expect((await send(driver.callback(topUp, { secret: 'another secret' }))).status).toBe(401);
    expect((await send(driver.callback(topUp))).status).toBe(200);
    expect(await payer.balance()).toMatchObject({ available: 0, pending: 2500 });
    await payer.work();
    expect(await payer.balance()).toMatchObject({ available: 0, pending: 0 });
    driver.pay(topUp, 'paid');
    for (const _time of [1, 2]) {
      for (const _callback of [1, 2]) expect((await send(driver.callback(topUp))).status).toBe(200);
      await payer.work();
      expect(await payer.balance()).toMatchObject({ available: 2500, pending: 0 });
    }
    expect(await payer.find(topUp.id)).toMatchObject({ status: 'succeeded', gateway: name });
  });

  test('[J213] less money, or money of another currency, is not credited', async () => {
    for (const outcome of ['less', 'other currency'] as const) {
      const { payer, topUp } = await start(2500);
      driver.pay(topUp, outcome);
      await send(driver.callback(topUp));
      await payer.work();
      expect(await payer.find(topUp.id)).toMatchObject({ status: 'failed', reason: 'mismatch' });
      expect(await payer.available()).toBe(0);
    }
  });
});

test('[J211] a top-up goes to the preferred gateway that takes its mode and currency, or to the one that it names', async () => {
  const [paystack, flutterwave] = [await openFakePaystack(), await openFakeFlutterwave()];
  const keys = {
    PAYSTACK_SECRET_KEY: 'sk_live_abcdefghijkl',
    FLUTTERWAVE_SECRET_KEY: 'FLWSECK-abcdefghijkl',
    FLUTTERWAVE_WEBHOOK_SECRET: 'a-secret-hash-of-ours',
  };
  const withOrder = async (preferredGateways: string) => {
    const urls = { paystackUrl: paystack.url, flutterwaveUrl: flutterwave.url };
    const settings = { ...house.ctx.settings, topUps: { ...house.ctx.settings.topUps, ...urls, preferredGateways } };
    return (await openGateways({ settings, around: keys, clock: house.ctx.clock }, Buffer.alloc(32), house.url))
      .gateways;
  };
  const gatewayOf = async (order: string, currency: string, body: object = {}) => {
    const own = await houseWith(await withOrder(order));
    const { vendorId } = await aPayer(own, currency);
    const { key: token } = await own.ctx.credentials.addVendorKey(vendorId, true);
    const answer = await call(own, 'POST /wallets/fund', { token, body: { amount: 2500, ...body } });
    return answer.body['gateway'] ?? answer.body['code'];
  };
  expect((await withOrder('flutterwave')).map(({ name }) => name)).toEqual(['flutterwave', 'sandbox', 'paystack']);
  expect(await gatewayOf('paystack,flutterwave', 'NGN')).toBe('paystack');
  expect(await gatewayOf('flutterwave,paystack', 'NGN')).toBe('flutterwave');
  expect(await gatewayOf('paystack', 'XOF')).toBe('flutterwave');
  expect(await gatewayOf('flutterwave', 'NGN', { gateway: 'paystack' })).toBe('paystack');
  expect(await gatewayOf('paystack', 'XOF', { gateway: 'paystack' })).toBe('impossible_value');
  expect(await gatewayOf('paystack', 'ISK')).toBe('no_gateway');
});
