import { describe, expect, test } from 'vitest';
import { newId, type PayoutId } from '../../../src/domain/ids.ts';
import type { ListedTransfer } from '../../../src/money/reconcile/judge-transfers.ts';
import type { ListedPage } from '../../../src/ports/money/gateways.ts';
import { NOON } from '../../builders.ts';
import { orderFor, TRANSFER_DRIVERS } from './transfer-drivers.ts';
import { sendTo } from './send-to.ts';

const unavailable = { code: 'gateway_unavailable' };

// Paystack and Flutterwave themselves were never asked: the fakes follow their public documents, which each of them names.
describe.each(Object.entries(TRANSFER_DRIVERS))('%s', async (name, drive) => {
  const driver = await drive();
  const { transfers, faults, currency } = driver;

  test('[J310] a transfer is made once, however often it is sent, with exactly the money that was asked for', async () => {
    const [order, other] = [orderFor(driver, 'success'), orderFor(driver, 'success')];
    const before = await driver.made();
    expect([transfers.pays(currency), await transfers.find(order.reference)]).toEqual([true, 'absent']);
    for (const one of [order, order, other]) {
      const { amount } = one;
      expect(await sendTo(transfers, one)).toMatchObject({ amount, currency });
      expect(await transfers.find(one.reference)).toMatchObject({ amount, currency });
    }
    expect(await driver.made()).toBe(before + 2);
  });

  test.each(['pending', 'needs_action', 'success', 'failed', 'reversed'] as const)(
    '[J310] a transfer that is %s at the bank is so here, with the cause of the gateway',
    async (status) => {
      const order = orderFor(driver, status);
      await sendTo(transfers, order);
      await driver.end(order.reference, status);
      // Flutterwave has no word for money that came back.
      const told = name === 'flutterwave' && status === 'reversed' ? 'failed' : status;
      const reason = status === 'pending' || status === 'success' ? null : expect.stringMatching(/./);
      const transfer = { status: told, amount: order.amount, currency, reason };
      expect([await transfers.find(order.reference), await sendTo(transfers, order)]).toEqual([transfer, transfer]);
    },
  );

  test('[J310] a transfer that the gateway refuses has failed and does not exist', async () => {
    const order = orderFor(driver, 'refused');
    const { amount } = order;
    expect(await sendTo(transfers, order)).toEqual({
      status: 'failed',
      amount,
      currency,
      reason: 'refused_by_gateway',
    });
    expect(await transfers.find(order.reference)).toBe('absent');
  });

  test('[J310] a transfer whose answer got lost is found by its reference, and is not made again', async () => {
    const order = orderFor(driver, 'lost');
    const before = await driver.made();
    driver.loseNext?.();
    await expect(sendTo(transfers, order)).rejects.toMatchObject(unavailable);
    expect(await transfers.find(order.reference)).toMatchObject({ amount: order.amount, currency });
    expect(await sendTo(transfers, order)).toMatchObject({ amount: order.amount, currency });
    expect(await driver.made()).toBe(before + 1);
  });

  test.skipIf(faults === null)('[J310] a gateway that does not answer has said nothing', async () => {
    const order = orderFor(driver, 'success');
    const span = { liveMode: false, from: NOON, to: NOON + 1 };
    for (const fault of ['unavailable', 'unauthorized', 'silence'] as const)
      for (const ask of [
        () => sendTo(transfers, order),
        () => transfers.find(order.reference),
        () => transfers.list(span, null),
      ]) {
        faults?.push(fault);
        await expect(ask()).rejects.toMatchObject(unavailable);
      }
    expect(await transfers.find(order.reference)).toBe('absent');
  });

  test.skipIf(faults === null)('[J324] a gateway that has too many requests has not made the transfer', async () => {
    const order = orderFor(driver, 'success');
    const before = await driver.made();
    const sending = await transfers.prepare(order);
    faults?.push('limited');
    expect(await sending()).toBe('not_taken');
    expect([await driver.made(), await transfers.find(order.reference)]).toEqual([before, 'absent']);
    expect(await sending()).toMatchObject({ amount: order.amount, currency });
  });

  test('[J313] the gateway lists the successful transfers of a span, page by page', async () => {
    // A day of its own, long ago.
    const day = NOON - 400 * 86_400_000;
    const wanted: unknown[] = [];
    const make = async (createdAt: number, status: 'success' | 'failed' = 'success'): Promise<PayoutId> => {
      const order = orderFor(driver, status);
      await sendTo(transfers, order);
      await driver.end(order.reference, status, createdAt);
      return order.reference;
    };
    for (let at = 0; at < 52; at += 1) wanted.push([await make(day + at), 123_457, currency, day + at]);
    for (const outside of [day - 1, day + 1000]) await make(outside);
    await make(day + 60, 'failed');
    await driver.makeForeign(day + 99);
    const listed: ListedTransfer[] = [];
    let [after, pages]: [string | null, number] = [null, 0];
    do {
      const page: ListedPage<ListedTransfer> = await transfers.list(
        { liveMode: false, from: day, to: day + 1000 },
        after,
      );
      listed.push(...page.items);
      [after, pages] = [page.next, pages + 1];
    } while (after !== null);
    const shown = listed
      .toSorted((a, b) => a.createdAt - b.createdAt)
      .map(({ payoutId, amount, createdAt, currency: of }) => [payoutId, amount, of, createdAt]);
    expect(shown.slice(0, 52)).toEqual(wanted);
    expect(shown.slice(52)).toEqual([[null, 100, currency, day + 99]]);
    expect(new Set(listed.map(({ gatewayId }) => gatewayId)).size).toBe(53);
    expect(pages).toBe({ sandbox: 1, paystack: 2, flutterwave: 6 }[name]);
  });

  test.skipIf(driver.makeOdd === undefined)(
    '[J362] a transfer that is listed in another way is named, and does not keep the others from being read',
    async () => {
      const day = NOON - 800 * 86_400_000;
      const order = orderFor(driver, 'success');
      await sendTo(transfers, order);
      await driver.end(order.reference, 'success', day);
      const odd = driver.makeOdd?.(day + 1);
      const page = await transfers.list({ liveMode: false, from: day, to: day + 1000 }, null);
      expect(page.items.map(({ payoutId }) => payoutId)).toEqual([order.reference]);
      expect(page.unread).toEqual([expect.stringMatching(new RegExp(`^${odd}: amount: .+`))]);
    },
  );

  test('[J310] an unknown reference is absent', async () => {
    expect(await transfers.find(newId('pay'))).toBe('absent');
  });
});
