import { expect, test } from 'vitest';
import type { DeliveryId } from '../../../../src/domain/ids.ts';
import { ENTRIES } from '../../../../src/models/ledger/ledger-shapes.ts';
import { amountOf } from '../../../../src/money/amount.ts';
import { bookOf, platformAccount } from '../../../../src/money/ledger/accounts.ts';
import { endOf, funded10 } from '../../../money/charges/ends.ts';
import { addDelivery, addVendor, call, openHouse } from '../../house.ts';

const house = await openHouse('platform-charges');
const { ctx } = house;
const BOOK = bookOf(false, 'EUR');

async function read(token: string, path: string): Promise<Record<string, unknown>[]> {
  const { status, body, text } = await call(house, `GET /${path}`, { token });
  if (status !== 200) throw new Error(text);
  return body.data ?? [];
}

/** Checks that the vendor does not see the entry of this delivery at any end. */
async function expectUnseen(key: string, id: DeliveryId) {
  const stored = await house.mongo.collection(ENTRIES).findOne({ _id: `charge:${id}` });
  expect((await read(key, 'billing/transactions')).map(({ category }) => category)).toEqual(['adjustment']);
  expect(await read(key, 'vendor/settlement/charges')).toEqual([]);
  const one = await call(house, `GET /billing/transactions/${String(stored?.id)}`, { token: key });
  const receipt = await call(house, `GET /billing/invoices/${id}`, { token: key });
  expect([one.body['code'], receipt.body['code']]).toEqual(['transaction_not_found', 'invoice_not_found']);
}

test('[J110] a delivery that the platform pays in full is no transaction of its vendor, and has no receipt', async () => {
  const { id: vendorId, key } = await addVendor(house);
  const id = await addDelivery(house, key);
  const { commands } = endOf('charge', funded10('in_transit', { id, vendorId }, 1000));
  expect(commands).toMatchObject([{ entry: { kind: 'platform_charge' } }]);
  for (const command of commands) expect(await ctx.ledger.post(command, null)).toEqual({ ok: true, isRepeat: false });
  await expectUnseen(key, id);
  const named = await call(house, 'GET /billing/transactions?category=platform_charge', { token: key });
  expect(named.status).toBe(400);
});

test('[J367] such a delivery that an earlier server has booked as a charge is not seen either, and not booked again', async () => {
  const { id: vendorId, key } = await addVendor(house);
  const id = await addDelivery(house, key);
  const postings = [
    { account: platformAccount('promotion', BOOK), amount: amountOf(-500) },
    { account: platformAccount('revenue', BOOK), amount: amountOf(500) },
  ];
  const about = { vendorId, book: BOOK, about: id, reason: null };
  const entry = { key: `charge:${id}`, kind: 'charge', postings, ...about } as const;
  expect(await ctx.ledger.post({ do: 'post', entry }, null)).toEqual({ ok: true, isRepeat: false });
  const now = { ...entry, kind: 'platform_charge' } as const;
  expect(await ctx.ledger.post({ do: 'post', entry: now }, null)).toEqual({ ok: false, why: 'key_reused' });
  await expectUnseen(key, id);
});
