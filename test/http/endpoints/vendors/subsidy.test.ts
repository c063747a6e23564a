import { expect, test } from 'vitest';
import type { QuoteId } from '../../../../src/domain/ids.ts';
import { preparationKeyOf } from '../../../../src/domain/learning/preparation.ts';
import { addPoorVendor, addServer, aCreate, call, DROP_OFF, type Answer } from '../../house.ts';
import { openShop } from './shop.ts';

const { house, vendor, other, locationId, asked, quote } = await openShop('subsidies');
const { ctx } = house;
const ROUTE = 'POST /vendor/promotions/subsidy';
const HALF = { type: 'percent', rate_bp: 5000 };

const apply = (quoteId: unknown, subsidy: object = HALF, token = vendor.key) =>
  asked(ROUTE, token, { quote_id: quoteId, subsidy });
const order = (quoteId: unknown, at: { readonly url: string } = house, headers = {}): Promise<Answer> =>
  call(at, 'POST /deliveries', {
    token: vendor.key,
    headers,
    body: aCreate({ pickup: { location_id: locationId }, drop_off: [DROP_OFF], quote_id: quoteId }),
  });

/** The shares of a quote or a delivery. They must sum to its fee. */
function sharesOf({ fee, ...body }: Record<string, unknown>) {
  const { customer_fee: customer, vendor_net_cost: own, platform_share: platform } = body;
  expect(Number(customer) + Number(own) + Number(platform)).toBe(fee);
  return { fee, customer, own };
}

test('[J233] a subsidy moves a part of the fee from the customer to the vendor, and the delivery is charged so', async () => {
  const { id, fee } = (await quote()).body as { id: string; fee: number };
  const half = Math.round(fee / 2);
  const answer = await apply(id);
  expect(answer).toMatchObject({ status: 201, body: { object: 'subsidy', quote_id: id, amount: half } });
  const shown = answer.body['quote'] as Record<string, unknown>;
  expect(sharesOf(shown)).toEqual({ fee, customer: fee - half, own: half });
  expect(shown).toMatchObject({
    vendor_subsidy: half,
    discounts: [{ type: 'subsidy', amount: half, paid_by: 'vendor' }],
  });
  const delivery = (await order(id)).body;
  expect(sharesOf(delivery)).toEqual({ fee, customer: fee - half, own: half });
});

test('[J233] the same subsidy again changes nothing, and another one is refused', async () => {
  const { id } = (await quote()).body;
  const answers = await Promise.all([apply(id), apply(id), apply(id)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const subsidy_id = answers[0]?.body['id'];
  expect((await apply(id, { type: 'free' })).body).toMatchObject({
    status: 409,
    code: 'subsidized_quote',
    metadata: { subsidy_id },
  });
  await order(id);
  expect((await apply(id)).body).toEqual(answers[0]?.body);
  const own = (await quote({ subsidy: { type: 'fixed', amount: 10 } })).body;
  expect((await apply(own['id'])).body).toMatchObject({ code: 'subsidized_quote', metadata: { subsidy_id: null } });
});

test('[J233] a quote that was used, has expired or belongs to another account or mode gets no subsidy', async () => {
  const { id } = (await quote()).body;
  expect((await apply(id, HALF, other.key)).body).toMatchObject({ status: 404, code: 'quote_not_found' });
  const { key } = await ctx.credentials.addVendorKey(vendor.id, true);
  expect((await apply(id, HALF, key)).body).toMatchObject({ status: 404, code: 'quote_not_found' });
  const delivery = (await order(id)).body;
  expect((await apply(id)).body).toMatchObject({ code: 'used_quote', metadata: { delivery_id: delivery['id'] } });
  const old = (await quote()).body;
  const rows = house.mongo.db.collection<{ _id: string }>('quotes');
  await rows.updateOne({ _id: String(old['id']) }, { $set: { expiresAt: ctx.clock.now() - 1 } });
  expect((await apply(old['id'])).body).toMatchObject({ status: 422, code: 'expired_quote' });
  const poor = await addPoorVendor(house);
  const free = await call(house, 'POST /express/quotes', {
    token: poor.key,
    body: aCreate({ drop_off: [{ coordinates: DROP_OFF.coordinates }] }),
  });
  expect((await apply(free.body['id'], { type: 'free' }, poor.key)).body).toMatchObject({ amount: free.body['fee'] });
});

test('[J234] if a create and a subsidy meet on a quote, the delivery has the subsidy exactly if it was applied', async () => {
  const { id, fee } = (await quote()).body;
  // The subsidy is applied after this server has read the quote, and before it writes the delivery.
  let reads = 0;
  const get: typeof ctx.quotes.get = async (...of) => {
    const read = await ctx.quotes.get(...of);
    reads += 1;
    if (reads === 1) expect((await apply(id)).status).toBe(201);
    return read;
  };
  const slow = await addServer(house, { quotes: { ...ctx.quotes, get } });
  const created = await order(id, slow);
  expect([created.status, reads]).toEqual([201, 2]);
  expect(sharesOf(created.body)).toMatchObject({ fee, own: Math.round(Number(fee) / 2) });
});

/** Sends a request again as long as its refusal allows it: a busy machine may need more than 5 s. */
async function untilTaken(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.body['retryable'] !== true) return answer;
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  }
}

test('[J234] creates and subsidies that race for quotes agree', async () => {
  const quotes = await Promise.all(Array.from({ length: 12 }, () => untilTaken(() => quote())));
  const outcomes = await Promise.all(
    quotes.map(async ({ body: { id } }) => {
      // The key lets a create that is sent again find what its first try has made.
      const create = () => order(id, house, { 'idempotency-key': String(id) });
      const [created, applied] = await Promise.all([untilTaken(create), untilTaken(() => apply(id as QuoteId))]);
      expect(created.status).toBe(201);
      const { own } = sharesOf(created.body);
      return { status: applied.status, hasSubsidy: own !== 0 };
    }),
  );
  // 200 if an earlier try, which was answered as busy, has applied it.
  for (const { status, hasSubsidy } of outcomes) expect(hasSubsidy ? [200, 201] : [409]).toContain(status);
});

test('[J235] a quote names the waiting that is expected, and its fee does not contain it', async () => {
  const { clock, preparation, settings } = ctx;
  const { place = DROP_OFF.coordinates } = (await ctx.vendors.findLocation(locationId)) ?? {};
  const times = { createdAt: clock.now(), readyAt: null };
  const key = preparationKeyOf({ vendorId: vendor.id, liveMode: false, pickup: { place, window: null }, times });
  // The goods of the location take 40.6 min.
  const samples = Array.from({ length: 20 }, () => ({ ...key, ms: 40 * 60_000, isBound: false }));
  await preparation.record(samples, settings.preparation);
  const named = (await quote({ pickup: { location_id: locationId, window: { ready_at: soon() } } })).body;
  expect(named['waiting_estimate']).toEqual({ minutes: 0, amount: 0 });
  const unnamed = (await quote()).body;
  expect(unnamed['fee']).toBe(named['fee']);
  // 11 min for a courier to arrive, and 10 min without a charge.
  expect(unnamed['waiting_estimate']).toEqual({ minutes: 20, amount: 20 * ctx.settings.charges.waitPerMinFee });
});

function soon(): string {
  return new Date(ctx.clock.now() + 3_600_000).toISOString();
}
