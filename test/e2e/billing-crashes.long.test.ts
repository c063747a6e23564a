import { afterAll, expect, test } from 'vitest';
import type { KillPoint } from '../../load-tests/servers/kill-at.ts';
import { createClock } from '../../src/clock.ts';
import { newId, type VendorId } from '../../src/domain/ids.ts';
import { createFinds } from '../../src/engines/together.ts';
import { DISPUTES } from '../../src/models/disputes/dispute-shapes.ts';
import { ENTRIES } from '../../src/models/ledger/ledger-shapes.ts';
import { createLedger } from '../../src/models/ledger/ledger-store.ts';
import { verifyLedger } from '../../src/models/ledger/verify-ledger.ts';
import { accountRowOf } from '../../src/models/ledger/settlement/settlement-rows.ts';
import { SETTLEMENT_ACCOUNTS } from '../../src/models/ledger/settlement/settlement-shapes.ts';
import { createVendorStore } from '../../src/models/vendors/vendor-store.ts';
import { amountOf } from '../../src/money/amount.ts';
import { platformAccount, vendorAccount } from '../../src/money/ledger/accounts.ts';
import { move, type Entry } from '../../src/money/ledger/entries.ts';
import { OPEN_DISPUTES } from '../../src/money/disputes/dispute.ts';
import { aVendor } from '../builders.ts';
import { handClock } from '../clock.ts';
import { RESERVE } from '../money/ledger/book.ts';
import { anAccount } from '../money/settlement/an-account.ts';
import { until } from '../until.ts';
import { call, logIn, type Answer } from './client.ts';
import type { TestServer } from './servers.ts';
import { openScenery, PATIENCE_MS, type Troubled } from './troubled.ts';

const [HOUR_MS, ORDER_VALUE, REFUNDED] = [3_600_000, 5000, 100];
/** Each settlement waits for a person. A minute of the server takes six seconds. */
const SETTINGS = { CLOCK_SCALE: '10', SETTLEMENT_APPROVAL_AMOUNT: '0' };

type Points = readonly (readonly [moment: string, point: KillPoint])[];

/** The moments at which the process dies while it refunds a delivery. */
// One row per line: this is a table.
// oxfmt-ignore
const REFUND_POINTS: Points = [
  ['before a refund is committed',    { when: 'before', what: 'commit', collection: 'ledger_entries', text: '"refund:del_' }],
  ['after a refund is committed',     { when: 'after',  what: 'commit', collection: 'ledger_entries', text: '"refund:del_' }],
  ['before a refund is sealed',       { when: 'before', what: 'commit', collection: 'ledger_seals',   text: '"refund:del_' }],
  ['after a refund is sealed',        { when: 'after',  what: 'commit', collection: 'ledger_seals',   text: '"refund:del_' }],
];

/** The same for a dispute that is raised and accepted. */
// One row per line: this is a table.
// oxfmt-ignore
const ACCEPT_POINTS: Points = [
  ['before a dispute is stored',      { when: 'before', what: 'write',  collection: 'disputes',       text: '"open"' }],
  ['before the reserve is committed', { when: 'before', what: 'commit', collection: 'ledger_entries', text: '"dispute:dsp_' }],
  ['after the reserve is committed',  { when: 'after',  what: 'commit', collection: 'ledger_entries', text: '"dispute:dsp_' }],
  ['before its refund is written',    { when: 'before', what: 'write',  collection: 'ledger_entries', text: '"refund:del_' }],
  ['before its end is committed',     { when: 'before', what: 'commit', collection: 'disputes',       text: '"accepted"' }],
  ['after its end is committed',      { when: 'after',  what: 'commit', collection: 'disputes',       text: '"accepted"' }],
];

/** The same for one that is rejected. */
// One row per line: this is a table.
// oxfmt-ignore
const REJECT_POINTS: Points = [
  ['before a release is written',     { when: 'before', what: 'write',  collection: 'ledger_entries', text: '"dispute_end:dsp_' }],
  ['before a rejection is committed', { when: 'before', what: 'commit', collection: 'disputes',       text: '"rejected"' }],
  ['after a rejection is committed',  { when: 'after',  what: 'commit', collection: 'disputes',       text: '"rejected"' }],
];

/** The same for a settlement that is made, approved and paid. */
// One row per line: this is a table.
// oxfmt-ignore
const SETTLE_POINTS: Points = [
  ['before a settlement is committed', { when: 'before', what: 'commit', collection: 'settlements',    text: '"draft"' }],
  ['after a settlement is committed',  { when: 'after',  what: 'commit', collection: 'settlements',    text: '"draft"' }],
  ['after it is approved',             { when: 'after',  what: 'commit', collection: 'settlements',    text: '"approved"' }],
  ['before its payment is committed',  { when: 'before', what: 'commit', collection: 'ledger_entries', text: '"settlement:stl_' }],
  ['after its payment is committed',   { when: 'after',  what: 'commit', collection: 'ledger_entries', text: '"settlement:stl_' }],
];

const OF_DELIVERIES = [...REFUND_POINTS, ...ACCEPT_POINTS, ...REJECT_POINTS];

/** A charged delivery for each point of one, and a member of finance. */
async function prepare({ baseUrl, demo }: TestServer) {
  const { center, vendor } = demo;
  const admin = await logIn(baseUrl, demo.staff);
  const member = { email: 'finance@example.com', roles: ['finance'] };
  const { body } = await call(baseUrl, 'POST /staff', { token: admin, body: member });
  const contact = { name: 'Robin', phone: '+4915112345699' };
  const made = await Promise.all(
    OF_DELIVERIES.map(([moment]) =>
      call(baseUrl, 'POST /deliveries', {
        token: vendor.api_key,
        body: {
          external_id: moment.replaceAll(' ', '-'),
          pickup: { location_id: vendor.location_id },
          drop_off: [{ coordinates: { lat: center.lat + 0.01, lng: center.lng }, contact }],
          test_specifications: { robo_courier_specification: { mode: 'auto', time_scale: 1000 } },
        },
      }),
    ),
  );
  const deliveries = new Map(OF_DELIVERIES.map(([moment], at) => [moment, String(made[at]?.body['id'])]));
  for (const id of deliveries.values())
    await until(async () => {
      const delivery = await call(baseUrl, `GET /deliveries/${id}`, { token: vendor.api_key });
      return delivery.body['status'] === 'delivered';
    }, PATIENCE_MS);
  return { deliveries, finance: { email: member.email, password: String(body['password']) } };
}

const { prepared, demo, mongo, start } = await openScenery('billing-crashes', { settings: SETTINGS, prepare });
afterAll(() => mongo.close());

/** Starts the server that dies, and a person of finance who works on it and on its successor. */
async function open(point: KillPoint) {
  const { ask, isReplaced, end } = await start(point);
  const vendor = (route: string, body?: object): Promise<Answer> => asking(ask, demo.vendor.api_key, route, body);
  const grant = { grant_type: 'password', ...prepared.finance };
  const token = String((await ask('POST /auth/token', { body: grant })).body['access_token']);
  return { vendor, finance: (route: string, body?: object) => asking(ask, token, route, body), isReplaced, end };
}

function asking(ask: Troubled['ask'], token: string, route: string, body?: object): Promise<Answer> {
  return ask(route, { token, ...(body === undefined ? {} : { body }) });
}

/** The entries about these objects, the reserve and the number of open disputes, and the faults of the ledger. */
async function readStored(about: readonly string[]) {
  const entries = mongo.collection(ENTRIES);
  const own = await entries.find({ about: { $in: [...about] } }).toArray();
  const moves = (await entries.find({ 'postings.account': RESERVE }).toArray()).flatMap(({ postings }) => postings);
  const reserved = moves.filter(({ account }) => account === RESERVE);
  const open = await mongo.collection(DISPUTES).countDocuments({ state: { $in: [...OPEN_DISPUTES] } });
  return {
    kinds: own.map(({ kind }) => kind).toSorted(),
    reserve: [reserved.reduce((sum, { amount }) => sum + Number(amount), 0), open],
    faults: (await verifyLedger(mongo, () => undefined)).faults,
  };
}

const deliveryOf = (moment: string): string => prepared.deliveries.get(moment) ?? '';

test.each(REFUND_POINTS)('[J281] a process that is killed %s loses and doubles no refund', async (moment, point) => {
  const id = deliveryOf(moment);
  // The refund of an earlier test may not be sealed yet.
  const { finance, isReplaced, end } = await open({ ...point, text: point.text.replace('del_', id) });
  const refund = { reference: 'one', reason: 'cold soup', amount: REFUNDED };
  const refunded = await finance(`POST /deliveries/${id}/refunds`, refund);
  expect([200, 201]).toContain(refunded.status);
  const list = () => finance(`GET /deliveries/${id}/refunds`);
  // A point of the seal comes a moment later.
  await until(async () => (await list()).status === 200 && isReplaced(), PATIENCE_MS);
  expect((await list()).body['data']).toMatchObject([{ id: refunded.body['id'], amount: REFUNDED }]);
  const stored = await end(() => readStored([id]));
  expect(stored).toEqual({ kinds: ['charge', 'refund'], reserve: [0, 0], faults: [] });
});

/** Raises a dispute. The answer to a repeat is that it is open. */
async function raise(vendor: (route: string, body?: object) => Promise<Answer>, deliveryId: string): Promise<string> {
  const asked = { delivery_id: deliveryId, reason: 'arrived_late', description: 'Cold soup', amount: REFUNDED };
  const raised = await vendor('POST /vendor/disputes', asked);
  expect([201, 409], JSON.stringify(raised.body)).toContain(raised.status);
  const { body } = await vendor(`GET /vendor/disputes?delivery_id=${deliveryId}`);
  const [dispute, ...others] = body['data'] as Record<string, unknown>[];
  expect(others).toEqual([]);
  return String(dispute?.['id']);
}

// One row per line: this is a table.
// oxfmt-ignore
const VERDICTS = {
  accepted: { party_at_fault: 'courier', gets: REFUNDED - 1, kinds: ['charge', 'dispute', 'dispute_end', 'refund'] },
  rejected: { party_at_fault: 'vendor',  gets: null,         kinds: ['charge', 'dispute', 'dispute_end'] },
} as const;

test.each([
  ...ACCEPT_POINTS.map(([moment, point]) => [moment, point, 'accepted'] as const),
  ...REJECT_POINTS.map(([moment, point]) => [moment, point, 'rejected'] as const),
])('[J281] a process that is killed %s loses and doubles no dispute', async (moment, point, outcome) => {
  const { vendor, finance, isReplaced, end } = await open(point);
  const id = deliveryOf(moment);
  const dispute = await raise(vendor, id);
  const { party_at_fault, gets, kinds } = VERDICTS[outcome];
  const amount = gets === null ? {} : { amount: gets };
  const verdict = { outcome, party_at_fault, note: 'We have looked at it.', ...amount };
  const decided = await finance(`POST /disputes/${dispute}/decide`, verdict);
  expect([decided.status, decided.body], JSON.stringify(decided.body)).toMatchObject([200, { status: outcome }]);
  expect(isReplaced()).toBe(true);
  const refunds = (await vendor(`GET /deliveries/${id}/refunds`)).body['data'] as Record<string, unknown>[];
  expect(refunds.map((refund) => refund['amount'])).toEqual(gets === null ? [] : [gets]);
  const stored = await end(() => readStored([id, dispute]));
  expect(stored).toEqual({ kinds, reserve: [0, 0], faults: [] });
});

/** Books an order value of yesterday, which is then due to be settled. */
async function owe(vendorId: VendorId): Promise<void> {
  const now = Date.now();
  const [from, to] = [now - 24 * HOUR_MS, now - HOUR_MS];
  const date = new Date(from).toISOString().slice(0, 10);
  // Servers are running, and must not settle before the entry is in the chain.
  const account = anAccount({ vendorId, period: { ...anAccount().period, from, to, date }, dueAt: now + 1e10 });
  const accounts = mongo.collection(SETTLEMENT_ACCOUNTS);
  const row = accountRowOf(account);
  await accounts.insertOne(row);
  const ledger = createLedger(mongo, handClock(now - 12 * HOUR_MS));
  const { book } = account;
  const postings = move(
    amountOf(ORDER_VALUE),
    platformAccount('clearing', book),
    vendorAccount('payable', vendorId, book),
  );
  const about = newId('del');
  const entry: Entry = {
    key: `order_value:${about}`,
    kind: 'order_value',
    book,
    vendorId,
    postings,
    about,
    reason: null,
  };
  expect(await ledger.post({ do: 'post', entry }, null)).toMatchObject({ ok: true });
  const isDue = async () => (await mongo.collection(ENTRIES).countDocuments({ _id: entry.key, due: true })) > 0;
  await until(async () => !(await isDue()), PATIENCE_MS);
  await accounts.updateOne({ _id: row._id }, { $set: { dueAt: to } });
}

test.each(SETTLE_POINTS)(
  '[J281] a process that is killed %s loses and doubles no settlement',
  async (_moment, point) => {
    const clock = createClock();
    const { id: vendorId } = await createVendorStore(mongo, clock, createFinds(clock), async () => {}).add(aVendor());
    const { finance, isReplaced, end } = await open(point);
    await owe(vendorId);
    const list = async () => {
      const { body } = await finance(`GET /settlement/vendors?vendor_id=${vendorId}&live_mode=false`);
      return (body['data'] ?? []) as Record<string, unknown>[];
    };
    await until(async () => (await list()).some(({ status }) => status === 'draft'), PATIENCE_MS);
    const id = String((await list())[0]?.['id']);
    const approved = await finance(`POST /settlement/vendors/${id}/approve`);
    expect(approved.status, JSON.stringify(approved.body)).toBe(200);
    await until(async () => (await list())[0]?.['status'] === 'paid' && isReplaced(), PATIENCE_MS);
    expect(await list()).toHaveLength(1);
    const wallet = vendorAccount('wallet', vendorId, 'test.EUR');
    const { posted } = await createLedger(mongo, createClock()).balance(wallet);
    const stored = await end(() => readStored([id]));
    expect([stored, posted]).toEqual([{ kinds: ['settlement'], reserve: [0, 0], faults: [] }, ORDER_VALUE]);
  },
);
