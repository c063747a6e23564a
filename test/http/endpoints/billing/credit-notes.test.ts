import { expect, test } from 'vitest';
import { bookOf } from '../../../../src/money/ledger/accounts.ts';
import { anInvoice, aTransaction, issue } from '../../../money/billing/an-invoice.ts';
import { aLine } from '../../../money/billing/charges.ts';
import { addVendor, call, openHouse } from '../../house.ts';
import { replyOf } from '../../routes.ts';

const house = await openHouse('credit-note-routes');
const { ctx } = house;

/** A document as JSON, or as the text of its PDF. */
async function get(token: string, id: string, accept = 'application/json'): Promise<Record<string, unknown>> {
  const { body, text } = await call(house, `GET /billing/invoices/${id}`, { token, headers: { accept } });
  return accept === 'application/json' ? body : { text };
}

test('[J179] a vendor lists its invoices and credit notes, and reads each by its id', async () => {
  const vendor = await addVendor(house);
  const given = { vendorId: vendor.id, period: '2026-01' };
  const invoice = await issue({ ...ctx, mongo: house.mongo }, anInvoice(given));
  const { number } = (await ctx.invoices.find(invoice.id))!;
  const credits = { id: invoice.id, number };
  const back = aTransaction([aLine('delivery', -200, -14)], { kind: 'refund' });
  const note = anInvoice({ ...given, credits, issuedAt: invoice.issuedAt + 1 }, [back]);
  const account = {
    vendorId: vendor.id,
    liveMode: false,
    book: bookOf(false, 'EUR'),
    from: 0,
    dueAt: Number.MAX_SAFE_INTEGER,
    failures: 0,
  };
  await ctx.invoices.issue({ ...account, period: '9999-12' }, { ...account, period: '9999-11' }, [note]);
  const list = async (query: string, token = vendor.key) => {
    const { body } = await call(house, `GET /billing/invoices${query}`, { token });
    expect(replyOf('GET /billing/invoices')?.safeParse(body).error).toBeUndefined();
    return body;
  };
  const { data } = await list('?limit=1');
  expect(data).toMatchObject([{ id: note.id, object: 'credit_note', amount: -200, tax: -14, net: -186, credits }]);
  const next = await list(`?limit=1&cursor=${String((await list('?limit=1'))['next_cursor'])}`);
  expect(next.data).toMatchObject([{ id: invoice.id, object: 'invoice', credits: null }]);
  expect((await list('?type=credit_note')).data).toEqual(data);
  expect((await list('?type=invoice')).data).toEqual(next.data);
  expect(await get(vendor.key, note.id)).toMatchObject({
    object: 'credit_note',
    number: expect.stringMatching(/^TEST-CRN-2026-\d{6}$/),
    credits,
    paid: -200,
    lines: [{ type: 'delivery', amount: -200 }],
  });
  expect((await get(vendor.key, note.id, 'application/pdf'))['text']).toMatch(/^%PDF-/);
  const other = await addVendor(house);
  expect((await list('', other.key)).data).toEqual([]);
  expect((await get(other.key, note.id))['code']).toBe('invoice_not_found');
});
