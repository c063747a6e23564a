import { expect, test } from 'vitest';
import { addStaff, DROP_OFF } from '../../house.ts';
import { openShop } from './shop.ts';

const { house, vendor, other, staff: dispatcher, locationId, asked, create, quote } = await openShop('pricing rules');
const finance = await addStaff(house, 'finance');
const RULES = 'POST /vendor/pricing-rules';
const BODY = {
  pickup: { location_id: locationId },
  drop_off: [{ coordinates: DROP_OFF.coordinates, order_value: 4000 }],
};

type Row = Readonly<Record<string, unknown>>;
const rulesOf = async (token: string, query = ''): Promise<readonly Row[]> =>
  (await asked(`GET /vendor/pricing-rules${query}`, token, undefined, {}, 'GET /vendor/pricing-rules')).body.data ?? [];
const typesOf = (rows: readonly Row[]) => rows.map(({ terms }) => (terms as Row)['type']);
const change = (verb: string, id: unknown, body: object) => {
  const [method, end = ''] = verb.split(' ');
  const route = `${method} /vendor/pricing-rules`;
  return asked(`${route}/${String(id)}${end}`, finance, body, {}, `${route}/{id}${end}`);
};

test('[J40] finance makes, changes and ends rules of a vendor, and each step is audited', async () => {
  const before = (await quote()).body;
  expect(typesOf(await rulesOf(vendor.key))).toEqual(['base', 'distance', 'weight', 'priority', 'surge']);
  const fresh = { vendor_id: vendor.id, terms: { type: 'base', amount: 1000 } };
  expect((await asked(RULES, dispatcher, fresh)).status).toBe(403);
  const made = await asked(RULES, finance, fresh);
  expect(made.body).toMatchObject({ object: 'pricing_rule', source: 'vendor', terms: fresh.terms, active_to: null });
  const id = made.body['id'];
  const feeBefore = Number(before['fee']);
  expect((await quote()).body['fee']).toBe(feeBefore + 650);
  expect((await create()).body['fee']).toBe(feeBefore + 650);
  expect((await rulesOf(vendor.key)).filter((row) => row['id'] === id)).toHaveLength(1);
  const changed = await change('PATCH', id, { vendor_id: vendor.id, terms: { type: 'base', amount: 500 } });
  expect(changed.body).toMatchObject({ terms: { amount: 500 } });
  expect((await quote()).body['fee']).toBe(feeBefore + 150);
  expect((await change('PATCH', id, { terms: { type: 'base', amount: 1 } })).body['code']).toBe(
    'pricing_rule_not_found',
  );
  expect((await change('PATCH', id, { vendor_id: vendor.id, active_to: '2001-01-01T00:00:00Z' })).status).toBe(422);
  const ended = await change('POST /end', id, { vendor_id: vendor.id });
  expect(ended.body['active_to']).not.toBeNull();
  expect((await change('POST /end', id, { vendor_id: vendor.id })).body).toEqual(ended.body);
  expect((await quote()).body['fee']).toBe(feeBefore);
  expect((await rulesOf(vendor.key, '?state=all')).some((row) => row['id'] === id)).toBe(true);
  const { items } = await house.ctx.audit.list({ objectId: String(id) }, { limit: 10, after: null });
  expect(items.map(({ action }) => action)).toEqual(['pricing_rule.end', 'pricing_rule.update', 'pricing_rule.add']);
});

test('[J41] a vendor reads its own rules and those of the platform, and no others', async () => {
  const terms = { type: 'region_flag', cells: ['871fb4662ffffff'] };
  const own = (await asked(RULES, finance, { vendor_id: vendor.id, terms })).body['id'];
  const shared = (await asked(RULES, finance, { terms })).body['id'];
  const seenBy = async (token: string) => (await rulesOf(token, '?state=all')).map(({ id }) => id);
  expect(await seenBy(vendor.key)).toEqual(expect.arrayContaining([own, shared]));
  expect(await seenBy(other.key)).toContain(shared);
  expect(await seenBy(other.key)).not.toContain(own);
  const named = `/vendor/pricing-rules?vendor_id=${vendor.id}`;
  const foreign = await asked(`GET ${named}`, other.key, undefined, {}, 'GET /vendor/pricing-rules');
  expect(foreign.body['code']).toBe('vendor_not_found');
  expect((await asked(RULES, vendor.key, { terms })).status).toBe(403);
});

test('[J42] edits that meet are all made', async () => {
  const terms = { type: 'tier_flag', tiers: ['none'] };
  const made = await Promise.all(
    Array.from({ length: 10 }, () => asked(RULES, finance, { vendor_id: other.id, terms })),
  );
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
  expect((await rulesOf(other.key)).filter((row) => row['source'] === 'vendor')).toHaveLength(10);
});

test('[J43] a pre-calculation agrees with the quote and names the rules that were applied', async () => {
  const rules = [
    { type: 'surge_protection', most: 500, paid_by: 'platform' },
    { type: 'promotion', code: 'MAY', rate_bp: 1000, paid_by: 'vendor' },
    { type: 'free_delivery_threshold', order_value: 4000 },
  ];
  const ids: unknown[] = [];
  for (const terms of rules) ids.push((await asked(RULES, finance, { vendor_id: vendor.id, terms })).body['id']);
  const body = { ...BODY, promo: 'MAY', subsidy: { type: 'fixed', amount: 100 }, customer_tier: 'gold' };
  const calculated = (await asked('POST /vendor/quotes/pre-calc', vendor.key, body)).body;
  const quoted = (await asked('POST /express/quotes', vendor.key, body)).body;
  const shared = ['fee', 'fee_breakdown', 'customer_fee', 'vendor_net_cost', 'platform_share', 'discounts', 'surge'];
  for (const field of shared) expect(calculated[field]).toEqual(quoted[field]);
  const fee = Number(calculated['fee']);
  expect(calculated).toMatchObject({
    customer_fee: 0,
    vendor_subsidy: 100,
    platform_share: fee - 500,
    vendor_net_cost: 500,
  });
  const applied = calculated['applied_rules'] as readonly Row[];
  expect(applied.slice(-4)).toEqual([
    { rule_id: ids[0], type: 'surge_protection', amount: fee - 500 },
    { rule_id: ids[1], type: 'promotion', amount: 50 },
    { rule_id: null, type: 'subsidy', amount: 100 },
    { rule_id: ids[2], type: 'free_delivery_threshold', amount: 350 },
  ]);
});
