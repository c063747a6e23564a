import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { raiseAlarm } from '../../src/dispatch/due/raise-alarm.ts';
import { newId, type DeliveryId } from '../../src/domain/ids.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { ROUTES } from '../../src/http/routes.ts';
import { ATTEMPTS } from '../../src/models/webhooks/webhook-shapes.ts';
import { bookOf } from '../../src/money/ledger/accounts.ts';
import { aDelivery, aLocation, aVendor } from '../builders.ts';
import { aBirth } from '../engines/mongo-house.ts';
import { aDocument } from '../models/couriers/a-document.ts';
import { chargeOf } from '../money/billing/charges.ts';
import { earn } from '../money/payouts/an-earning.ts';
import { until } from '../until.ts';
import { openSite } from './endpoints/analytics/site.ts';
import { addCourier, addDelivery, addStaff, call, type Body } from './house.ts';
import { moneyMakers, type Maker } from './money-lists.ts';

const MINUTE = 60_000;
/** Rows of each list before its pages are read. */
const ROWS = 8;

const { house, vendor, courier, staff, end } = await openSite('list_stability', (settings) => ({
  ...settings,
  webhooks: { ...settings.webhooks, registrations: 200 },
  auth: { ...settings.auth, mostKeys: 200 },
}));
const { ctx } = house;

/** Lists without a maker, with the reason. */
const UNMADE: Readonly<Record<string, string>> = {
  'GET /vendor/analytics/rider-performance': 'Its order is that of figures, which change while it is read.',
};

const makers = new Map<string, readonly Maker[]>();

beforeAll(async () => {
  const [admin, support] = [await addStaff(house, 'admin'), await addStaff(house, 'support')];
  const make = () => addDelivery(house, vendor.key);
  const express = () => call(house, 'POST /express/deliveries', { token: vendor.key, body: CREATE });
  const changed = await make();
  const decided = await make();
  const webhook = () => {
    const body = { url: 'http://127.0.0.1:9/', events: ['*'] };
    return call(house, 'POST /webhooks', { token: vendor.key, body });
  };
  const registration = String((await webhook()).body['id']);
  const addLocation = () => ctx.vendors.addLocation(aLocation({ vendorId: vendor.id }));
  const byVendor = (path: string, add: () => Promise<unknown>): Maker => ({ path, token: vendor.key, add });
  const byStaff = (path: string, add: () => Promise<unknown>, token = staff): Maker => ({ path, token, add });
  let changes = 0;
  const change = () => {
    changes += 1;
    const body = { pickup: { instructions: `Ring ${changes} times` } };
    return call(house, `PATCH /deliveries/${changed}`, { token: vendor.key, body });
  };
  const ended = () => end({ state: 'delivered', courierId: courier.id });
  const rate = async () => {
    const id = await ended();
    return call(house, `POST /deliveries/${id}/rating`, { token: vendor.key, body: { rating: 5, comment: 'Fast' } });
  };
  const audited = { action: 'webhook.change', vendorId: vendor.id, liveMode: false, changes: {} } as const;
  const audit = () => ctx.audit.record({ ...audited, objectId: newId('whk') });
  const charge = () =>
    ctx.ledger.post(chargeOf({ vendorId: vendor.id, book: bookOf(false, 'EUR'), deliveryId: newId('del') }), null);
  const rows: Readonly<Record<string, readonly Maker[]>> = {
    'GET /express/deliveries': [byVendor('/express/deliveries', express)],
    'GET /dispatch/queue': [byStaff('/dispatch/queue', waitLong)],
    'GET /dispatch/alarms': [byStaff('/dispatch/alarms', alarm)],
    'GET /dispatch/decisions/{id}': [byStaff(`/dispatch/decisions/${decided}`, () => decide(decided))],
    'GET /couriers/{id}/deliveries': [
      byStaff(`/couriers/${courier.id}/deliveries`, ended),
      { path: `/couriers/${courier.id}/deliveries?status=delivered`, token: courier.token, add: ended },
    ],
    'GET /couriers/{id}/documents': [
      byStaff(
        `/couriers/${courier.id}/documents`,
        () => ctx.documents.add(aDocument({ courierId: courier.id }), null),
        support,
      ),
    ],
    'GET /kyc/documents': [
      byStaff('/kyc/documents', () => ctx.documents.add(aDocument({ courierId: newId('cou') }), null), support),
    ],
    'GET /deliveries': [
      byVendor('/deliveries', make),
      byVendor('/deliveries?status=searching,canceled', make),
      byVendor('/deliveries?q=Lovelace', make),
      byVendor(`/deliveries?courier_id=${courier.id}`, ended),
      byStaff('/deliveries?live_mode=false', make),
    ],
    'GET /deliveries/{id}/history': [byVendor(`/deliveries/${changed}/history`, change)],
    'GET /vendor/analytics/rider-performance/comments': [
      byVendor('/vendor/analytics/rider-performance/comments', rate),
    ],
    'GET /vendor/locations': [byVendor('/vendor/locations', addLocation)],
    'GET /vendor/coverage': [byVendor('/vendor/coverage', addLocation)],
    'GET /vendor/hours': [byVendor('/vendor/hours', addLocation)],
    'GET /vendors': [byStaff('/vendors', () => ctx.vendors.add(aVendor()))],
    'GET /vendor/api-keys': [byVendor('/vendor/api-keys', () => ctx.credentials.addVendorKey(vendor.id, false))],
    'GET /webhooks': [byVendor('/webhooks', webhook), byVendor('/webhooks?status=enabled', webhook)],
    'GET /webhooks/{id}/attempts': [byVendor(`/webhooks/${registration}/attempts`, () => attempt(registration))],
    'GET /events': [byVendor('/events', make), byVendor('/events?type=delivery.created', make)],
    'GET /couriers': [
      byStaff('/couriers', () => addCourier(house)),
      byStaff('/couriers?status=active', () => addCourier(house)),
    ],
    'GET /staff': [byStaff('/staff', () => addStaff(house, 'support'), admin)],
    'GET /audit': [byVendor('/audit', audit), byStaff('/audit', audit, admin)],
    'GET /billing/transactions': [byVendor('/billing/transactions', charge)],
    'GET /vendor/settlement/charges': [byVendor('/vendor/settlement/charges', charge)],
    'GET /couriers/{id}/earnings': [
      {
        path: `/couriers/${courier.id}/earnings`,
        token: courier.token,
        add: () => earn(ctx, courier.id, { pay: 100 }),
      },
    ],
  };
  for (const [route, made] of Object.entries(rows)) makers.set(route, made);
  const ofMoney = await moneyMakers(house, { finance: await addStaff(house, 'finance'), vendor });
  for (const [route, maker] of Object.entries(ofMoney)) makers.set(route, [maker]);
});

const CREATE = {
  pickup: { coordinates: { lat: 52.52, lng: 13.405 }, contact: { name: 'Desk', phone: '+4930123456' } },
  drop_off: [{ coordinates: { lat: 52.53, lng: 13.41 }, contact: { name: 'Ada', phone: '+4930654321' } }],
};

/** A delivery that has been searched for long. Each one began a little later than the one before. */
let waiting = 0;
async function waitLong(): Promise<void> {
  waiting += 1;
  const now = ctx.clock.now();
  const from = now - 30 * MINUTE + waiting * 1000;
  const search = { searchFromAt: from, searchCountsFromAt: from, searchUntilAt: now + 60 * MINUTE };
  await ctx.commit(aBirth({ vendorId: vendor.id, state: 'searching', ...search }));
}

async function alarm(): Promise<void> {
  await raiseAlarm(ctx, aDelivery(), { kind: 'late', since: ctx.clock.now(), detail: 'not collected' });
}

let runs = 0;
async function decide(deliveryId: DeliveryId): Promise<void> {
  runs += 1;
  const runId = newId('run');
  const at = ctx.clock.now() + runs;
  const row = {
    runId,
    deliveryId,
    at,
    verdict: 'offered',
    courierId: null,
    costS: 1,
    asked: [],
    candidates: [],
  } as const;
  const facts = { id: runId, region: 'r', fence: 1, at, tookMs: 5, rounds: 0, seed: 1 };
  ctx.decisions.record({ ...facts, request: {}, answer: {}, decisions: [row] });
  await until(async () => {
    const { items } = await ctx.decisions.list(deliveryId, { limit: 100, after: null });
    return items.some((item) => item.runId === runId);
  });
}

async function attempt(registrationId: string): Promise<void> {
  const eventId = newId('evt');
  const counts = { dueAt: ctx.clock.now(), number: 1, claims: 1, log: [] };
  const keys = {
    attemptId: newId('att'),
    eventKey: eventId,
    eventId,
    registrationId: registrationId as `whk_${string}`,
  };
  await house.mongo.collection(ATTEMPTS).insertOne({ _id: `${eventId}:x`, ...keys, state: 'done', ...counts });
}

/** The value by which two items of a list differ. */
function keyOf(item: Record<string, unknown>): string {
  const delivery = item['delivery'] as { readonly id?: unknown } | undefined;
  return String(item['id'] ?? item['run_id'] ?? delivery?.id ?? item['delivery_id'] ?? item['location_id']);
}

async function readPage({ token }: Maker, path: string): Promise<Body> {
  const { status, body, text } = await call(house, `GET ${path}`, { token });
  expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, '']);
  return body;
}

/** Reads all pages. Before each next page, so many rows are added. */
async function readAll(maker: Maker, limit: number, inserts: readonly number[]): Promise<string[]> {
  const mark = maker.path.includes('?') ? '&' : '?';
  const keys: string[] = [];
  let cursor = '';
  for (let page = 0; ; page += 1) {
    const body = await readPage(maker, `${maker.path}${mark}limit=${limit}${cursor}`);
    keys.push(...(body.data ?? []).map(keyOf));
    if (body['has_more'] !== true) return keys;
    cursor = `&cursor=${encodeURIComponent(String(body['next_cursor']))}`;
    for (let added = 0; added < (inserts[page] ?? 0); added += 1) await maker.add();
  }
}

const lists = ROUTES.filter((row): row is Endpoint => row.kind === 'endpoint' && isPaged(row));

function isPaged(row: Endpoint): boolean {
  if (row.query === null || !row.route.startsWith('GET ')) return false;
  const { properties = {} } = z.toJSONSchema(row.query, { io: 'input', unrepresentable: 'any' });
  return 'cursor' in properties;
}

test('[H315] every list with pages has a maker in this test, or a reason', () => {
  const known = [...makers.keys(), ...Object.keys(UNMADE)];
  expect(known.toSorted()).toEqual(lists.map(({ route }) => route).toSorted());
});

test.each(lists.map(({ route }) => route).filter((route) => UNMADE[route] === undefined))(
  '[H316] while rows are added, %s shows each row that was there once and in order',
  async (route) => {
    for (const maker of makers.get(route) ?? []) {
      for (let row = 0; row < ROWS; row += 1) await maker.add();
      const inserts = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 6 });
      const whole = async (limit: number, added: readonly number[]) => {
        const before = await readAll(maker, 100, []);
        expect(before.length).toBeGreaterThanOrEqual(ROWS);
        const seen = await readAll(maker, limit, added);
        expect(new Set(seen).size).toBe(seen.length);
        const known = new Set(before);
        expect(seen.filter((key) => known.has(key))).toEqual(before);
      };
      await fc.assert(fc.asyncProperty(fc.integer({ min: 2, max: 7 }), inserts, whole), { numRuns: 3 });
    }
  },
  60_000,
);
