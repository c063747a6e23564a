import { describe, expect, test } from 'vitest';
import { amountOf } from '../../../src/money/amount.ts';
import { aTopUp } from '../../money/top-ups/a-top-up.ts';
import { DRIVERS, opened } from './drivers.ts';

// The services themselves were never asked: the fakes follow their public documents, which each of them names.
describe.each(Object.entries(DRIVERS))('%s', async (name, drive) => {
  const driver = await drive();
  const { gateway, faults, currency } = driver;
  const anOpenOne = (over = {}) =>
    opened(driver, aTopUp({ gateway: gateway.name, currency, amount: amountOf(123_457), ...over }));

  test('[J212] a page asks for exactly the amount, however often it is opened, in the mode of the key', async () => {
    expect([gateway.name, gateway.modes, gateway.takes(currency)]).toEqual([name, ['test'], true]);
    for (const amount of [100, 101, 999_999_999_999].map(amountOf)) {
      const topUp = await anOpenOne({ amount, returnUrl: 'https://shop.example/wallet' });
      expect(driver.asked(topUp)).toMatchObject({ amount, currency });
      expect(topUp.checkout?.url).toMatch(/^https:\/\/checkout\./);
    }
  });

  test('[J212] a gateway that does not answer has said nothing, and one that refuses has refused', async () => {
    await expect(anOpenOne({ amount: amountOf(49) })).rejects.toMatchObject({ code: 'top_up_refused' });
    const topUp = await anOpenOne();
    for (const fault of ['unavailable', 'limited', 'unauthorized', 'silence'] as const) {
      faults.push(fault, fault);
      await expect(anOpenOne()).rejects.toMatchObject({ code: 'gateway_unavailable' });
      await expect(gateway.verify(topUp)).rejects.toMatchObject({ code: 'gateway_unavailable' });
    }
  });

  test('[J212] a payment is what the gateway says about it, with the amount and the currency that were paid', async () => {
    const { id, amount } = aTopUp({ amount: amountOf(123_457) });
    const paid = { is: 'paid', reference: id, amount, currency };
    const cells = [
      ['paid', paid],
      ['less', { ...paid, amount: amount - 1 }],
      ['other currency', { ...paid, currency: 'USD' }],
      // The payer may try again on the same page.
      ['failed', { is: 'open' }],
      ['unfinished', { is: 'open' }],
    ] as const;
    const topUp = await anOpenOne({ id });
    expect(['open', 'unknown']).toContain((await gateway.verify(topUp)).is);
    expect(await gateway.verify({ ...topUp, checkout: null })).toEqual({ is: 'unknown' });
    for (const [outcome, payment] of cells) {
      const one = outcome === 'paid' ? topUp : await anOpenOne();
      driver.pay(one, outcome);
      const reference = payment.is === 'paid' ? { reference: one.id } : {};
      const [listed] = (await gateway.paymentsOf?.(one)) ?? [];
      expect(await gateway.verify(one)).toEqual({ ...payment, ...reference, paymentId: listed?.id });
    }
  });

  test('[J213] a callback counts only with the proof of its secret', async () => {
    const topUp = await anOpenOne();
    const [body, headers] = driver.callback(topUp);
    const about = { is: 'about', callback: { reference: topUp.id, isPaid: true } };
    expect(gateway.readCallback(body, headers)).toEqual(about);
    expect(gateway.readCallback(...driver.callback(topUp, { event: 'transfer.success' }))).toEqual({ is: 'other' });
    const [, strange] = driver.callback(topUp, { secret: 'whsec_another_one' });
    for (const sent of [strange, {}, Object.fromEntries(Object.keys(headers).map((header) => [header, '']))])
      expect(gateway.readCallback(body, sent)).toEqual({ is: 'forged' });
    expect(gateway.readCallback(Buffer.concat([body, Buffer.from(' ')]), headers)).toEqual({ is: 'forged' });
  });
});
