import { expect, test } from 'vitest';
import { STATES } from '../../src/domain/deliveries/states.ts';
import { newId } from '../../src/domain/ids.ts';
import { createClockMark } from '../../src/models/settings/clock-mark.ts';
import { COLLECTIONS } from '../../src/models/collections.ts';
import { BUCKET_FILES } from '../../src/models/files/file-shapes.ts';
import { createDecisionStore, findRun } from '../../src/models/regions/decision-store.ts';
import { createDemoRows } from '../../src/models/demo-rows.ts';
import { loadSecrets } from '../../src/models/secrets/secrets.ts';
import { createTravelStore } from '../../src/models/learning/travel-store.ts';
import { createRequestStore } from '../../src/models/request-store.ts';
import { createWebhookStore } from '../../src/models/webhooks/webhook-store.ts';
import { Refusal } from '../../src/domain/refusals/refusals.ts';
import type { DeliveryFilter } from '../../src/ports/deliveries.ts';
import { aCourier, CENTER, NOON } from '../builders.ts';
import { preparedEngines } from '../database.ts';
import { keptMetrics } from '../kept-ports.ts';
import { aDoor } from './access/credentials-house.ts';
import { CLOCK, openHouse, SETTINGS } from '../engines/mongo-house.ts';
import { turnPages } from './explain/calls.ts';
import { captureCommands, explain } from './explain/captured.ts';
import { commitAll } from './explain/commits.ts';
import { fillAll, SESSION_HOLDERS, VENDOR } from './explain/rows.ts';
import { ABSENT, callsOf, type Subject } from './explain/uses.ts';
import type { DemoFacts } from '../../src/models/setting-shapes.ts';

/**
 * These tests leave out `remove` of the demo's rows, which scans collections without an index for it. An operator runs it
 * once, before the server starts. Migrations read every row of their collections, batch by batch.
 */

const house = await openHouse('explain', 'monitorCommands=true');
await fillAll(house.mongo);
const capture = captureCommands(house.mongo);
const seen = new Set<string>();

/** The costs of these commands that are too high, as text. */
async function dearOnes(commands: readonly Record<string, unknown>[], mongo = house.mongo): Promise<string[]> {
  const dear: string[] = [];
  for (const command of commands) {
    for (const cost of await explain(mongo, command)) {
      seen.add(cost.collection);
      const most = 5 * (cost.limit ?? Math.max(1, cost.given)) + 20;
      // The driver of GridFS looks whether its bucket has any row at all.
      const isOfDriver = cost.collection === BUCKET_FILES.name && cost.limit === 1 && cost.docs <= 1;
      const isScan = cost.stages.includes('COLLSCAN') && !isOfDriver;
      if (isScan || cost.docs > most)
        dear.push(`${cost.name} ${cost.collection}: ${cost.docs} read, ${most} allowed; ${cost.command}`);
    }
  }
  return dear;
}

/** Runs the call. A refusal is an answer like any other. */
async function use(call: () => unknown): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

function demoFacts({ courierId }: Subject): DemoFacts {
  return {
    center: CENTER,
    vendor: { id: VENDOR, api_key: '', location_id: newId('loc') },
    couriers: [{ id: courierId, phone: '+4930123456' }],
    staff: { email: 'staff-7@example.com', password: '' },
  };
}

async function known(): Promise<Subject> {
  const { db } = house.mongo;
  const delivery = await db.collection('deliveries').findOne({ vendorId: VENDOR, state: 'searching' });
  const courier = await db.collection('couriers').findOne({ availability: 'online' });
  const offer = await db.collection('offers').findOne({});
  return {
    deliveryId: delivery?.['id'],
    courierId: courier?.['id'],
    vendorId: VENDOR,
    offerId: offer?.['id'],
    region: delivery?.['region'],
    tokenHash: delivery?.['links']?.[0]?.tokenHash,
  };
}

test('[S60] no method of a store scans a collection or reads much more than it returns', async () => {
  const metrics = keptMetrics();
  const stores = {
    ...house,
    webhooks: createWebhookStore(house.mongo, Buffer.alloc(32, 7), CLOCK, SETTINGS, house.audit),
    requests: createRequestStore(house.mongo, Buffer.alloc(32, 7), CLOCK, SETTINGS),
    decisions: createDecisionStore({ mongo: house.mongo, clock: CLOCK, settings: SETTINGS, metrics }),
    travel: createTravelStore(house.mongo, CLOCK),
  };
  const there = await known();
  const dear: string[] = [];
  capture.taken();
  for (const subject of [there, ABSENT]) {
    const calls = callsOf(stores, subject);
    for (const [store, methods] of Object.entries(calls)) {
      const named = Object.entries(stores[store as keyof typeof calls]).filter(
        ([, part]) => typeof part === 'function',
      );
      const kept = Object.keys(methods);
      // Methods outside the port, such as one for its own process, are left out.
      expect([store, kept.filter((name) => !named.some(([method]) => method === name))]).toEqual([store, []]);
      for (const call of Object.values<() => unknown>(methods)) await use(call);
      dear.push(...(await dearOnes(capture.taken())));
    }
  }
  await commitAll(house);
  await findRun(house.mongo, newId('run'));
  await loadSecrets(house.mongo, {});
  const demo = createDemoRows(house.mongo);
  const facts = demoFacts(there);
  await demo.keep({ facts, isUnfinished: true });
  await demo.find();
  await demo.listCarriedForOthers(facts);
  await createClockMark(house.mongo).move({ reachedMs: 0, wallMs: NOON, scale: 1 });
  dear.push(...(await dearOnes(capture.taken())));
  expect(dear).toEqual([]);
});

test('[S60] these tests notice a query without an index', async () => {
  capture.taken();
  await house.mongo.db.collection('quotes').findOne({ currency: 'none' });
  const [dear, ...more] = await dearOnes(capture.taken());
  expect(dear).toContain('find quotes: ');
  expect(more).toEqual([]);
});

test('[S106] these tests notice an aggregate that reads much and returns little, whatever its limit is', async () => {
  const { db } = house.mongo;
  const ofVendor = { vendor_id: VENDOR, live_mode: true };
  const groups = [{ $group: { _id: '$type', count: { $sum: 1 } } }, { $limit: 10_000 }];
  // The database runs this group apart from the search, and so explains it apart.
  const newest = { $top: { sortBy: { _id: -1 }, output: '$_id' } };
  const [most, state] = [{ $limit: 20 }, { $group: { _id: '$state', newest } }];
  capture.taken();
  await db
    .collection('events')
    .aggregate([{ $match: ofVendor }, ...groups])
    .toArray();
  await db
    .collection('deliveries')
    .aggregate([{ $match: { vendorId: VENDOR } }, state, { $limit: 10_000 }])
    .toArray();
  await db
    .collection('deliveries')
    .aggregate([{ $match: { vendorId: VENDOR } }, most, state])
    .toArray();
  const dear = await dearOnes(capture.taken());
  expect(dear.map((text) => text.split(':')[0])).toEqual(['aggregate events', 'aggregate deliveries']);
});

const PARTS: Record<string, readonly DeliveryFilter[]> = {
  vendor: [{ vendorId: VENDOR }, { vendorId: newId('ven') }],
  mode: [{ liveMode: true }, { liveMode: false }],
  channel: [{ channel: 'express' }, { channel: 'internal' }],
  states: [{ states: ['delivered'] }, { states: ['failed'] }, { states: STATES.slice(0, 5) }, { states: [] }],
  range: [
    { createdFrom: NOON + 5_000_000, createdTo: NOON + 9_000_000 },
    { createdFrom: 1, createdTo: 2 },
  ],
  search: [
    'order.7',
    'order.none',
    '1007',
    '01007',
    '491001007',
    '+49301001007',
    newId('del'),
    'street long',
    'ada nobody',
  ].map((search) => ({
    search,
  })),
  courier: [{ courierId: newId('cou') }],
  externalId: [{ externalId: 'order.7' }, { externalId: 'none' }],
};

test('[S60] a list of deliveries reads few of them, with every pair of filters, on every page', async () => {
  const filters = Object.entries(PARTS).flatMap(([name, some]) =>
    Object.entries(PARTS)
      .filter(([other]) => other >= name)
      .flatMap(([, others]) => some.flatMap((one) => others.map((two): DeliveryFilter => ({ ...one, ...two })))),
  );
  expect(filters.length).toBeGreaterThan(150);
  const dear: string[] = [];
  for (const filter of [{}, ...filters]) {
    const first = await house.deliveries.list(filter, { limit: 20, after: null });
    if (first.next !== null) await house.deliveries.list(filter, { limit: 20, after: first.next });
    dear.push(...(await dearPages()));
  }
  expect(dear).toEqual([]);
});

/** The last pages that read more than 5 × 20 + 20 documents. */
async function dearPages(): Promise<string[]> {
  const dear: string[] = [];
  for (const command of capture.taken()) {
    for (const { docs, stages, command: text } of await explain(house.mongo, command)) {
      if (docs > 120 || stages.includes('COLLSCAN')) dear.push(`${docs} read: ${text}`);
    }
  }
  return dear;
}

test('[S60] credentials are found without a scan', async () => {
  const engines = await preparedEngines('explain-credentials');
  const options = `${engines.mongoUrl}${engines.mongoUrl.includes('?') ? '&' : '?'}monitorCommands=true`;
  const { courierId, email } = SESSION_HOLDERS;
  const courier = aCourier({ id: courierId, phone: '+4930123456' });
  const { credentials, mongo } = await aDoor({ ...engines, mongoUrl: options }, [courier]);
  const { apiKeys } = credentials;
  await fillAll(mongo);
  const own = captureCommands(mongo);
  const staff = { email, password: 'a long enough password', roles: ['admin'] } as const;
  const network = '192.0.2.1';
  const { key, id } = await credentials.addVendorKey(VENDOR, true);
  await credentials.authenticate(key);
  const made = await apiKeys.find(id);
  if (made === null) throw new Error('it was made');
  await apiKeys.revoke((await apiKeys.rotate(made, 3_600_000)).apiKey);
  await turnPages((after) => apiKeys.list(VENDOR, true, { limit: 20, after }));
  await credentials.addStaff(staff);
  const { refreshToken, accessToken } = await credentials.grant({ type: 'password', ...staff }, network);
  const caller = await credentials.authenticate(accessToken);
  await credentials.grant({ type: 'refresh_token', refreshToken }, network);
  await use(() => credentials.requestOtp(courier.phone, network));
  await use(() => credentials.grant({ type: 'otp', phone: courier.phone, code: '123456' }, network));
  await credentials.grant({ type: 'otp', phone: courier.phone, code: '000000' }, network);
  for (const account of [{ courierId }, { email }]) await credentials.listSessions(account);
  await credentials.listEnded([id, newId('ses')]);
  await credentials.logout(caller);
  await credentials.resetStaff(staff);
  await credentials.endSessionsOf({ courierId });
  expect(await dearOnes(own.taken(), mongo)).toEqual([]);
});

test('[S60] these tests read every collection', () => {
  const names = COLLECTIONS.map(({ name }) => name);
  expect(names.filter((name) => !seen.has(name))).toEqual([]);
});
