import { readFileSync } from 'node:fs';
import path from 'node:path';
import { mongo as mongodb } from 'mongoose';
import { beforeAll, expect, test } from 'vitest';
import { depart } from '../../src/dispatch/deliveries/advance-delivery.ts';
import type { DeliveryId, VendorId } from '../../src/domain/ids.ts';
import { verifyLedger } from '../../src/models/ledger/verify-ledger.ts';
import type { AnyRow } from '../../src/models/migrations/migration.ts';
import { ODD } from '../odd-rows.ts';
import { addStaff, aCreate, call, openHouse } from './house.ts';
import { replyOf } from './routes.ts';

/**
 * The rows that commit ad730f6 stored, before deliveries were charged: one delivery in each state, and a return. Its own
 * server and use cases made them. Credentials are left out.
 */
const SAMPLE = path.join(import.meta.dirname, '../models/migrations/samples/all-states.jsonl');
const LINES = readFileSync(SAMPLE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => mongodb.BSON.EJSON.parse(line) as { readonly collection: string; readonly row: AnyRow });
const rowsOf = (name: string): AnyRow[] => LINES.flatMap((line) => (line.collection === name ? [line.row] : []));

const house = await openHouse('old deliveries');
const { ctx, mongo } = house;
const OLD = rowsOf('deliveries');
const VENDOR = String(rowsOf('vendors')[0]?._id) as VendorId;
let [key, staff] = ['', ''];

beforeAll(async () => {
  for (const name of new Set(LINES.map(({ collection }) => collection)))
    await mongo.db.collection<AnyRow>(name).insertMany(rowsOf(name), ODD);
  ({ key } = await ctx.credentials.addVendorKey(VENDOR, false));
  staff = await addStaff(house, 'dispatcher');
});

/** The old delivery that its vendor calls so; null for the return, which has no such name. */
const idOf = (name: string | null): DeliveryId =>
  String(OLD.find(({ externalId }) => externalId === name)?._id) as DeliveryId;
const read = async (id: string) => (await call(house, `GET /deliveries/${id}`, { token: key })).body;

/** Does a step of a delivery by hand, as a dispatcher. */
async function act(id: string, step: string, body: object = {}): Promise<void> {
  const reason = { override_reason: 'by hand' };
  const answer = await call(house, `POST /deliveries/${id}/${step}`, { token: staff, body: { ...reason, ...body } });
  expect([step, answer.status, answer.body['code']]).toEqual([step, 200, undefined]);
}

/** Assigns a courier of that time who carries nothing. */
async function assign(id: string): Promise<void> {
  const courier_id = rowsOf('couriers').find(({ active }) => String(active) === '')?._id;
  const body = { delivery_id: id, courier_id, override_reason: 'by hand' };
  expect((await call(house, 'POST /dispatch/assign', { token: staff, body })).status).toBe(200);
}

const cancel = async (id: string): Promise<void> => {
  const answer = await call(house, `POST /deliveries/${id}/cancel`, { token: key, body: { accept_fee: 0 } });
  expect(answer.body).toMatchObject({ status: 'canceled', cancellation: { fee: 0 } });
};
const failing = { reason: 'address_not_found', contact_tries: [] };

/** How each delivery that was open is carried on to its end, and the state in which it ends. */
const ENDS: readonly [name: string | null, end: string, carry: (id: DeliveryId) => Promise<void>][] = [
  ['scheduled', 'canceled', cancel],
  [
    'searching',
    'delivered',
    async (id) => {
      await assign(id);
      await act(id, 'pick-up');
      await depart(ctx, { deliveryId: id, overrideReason: null }, { type: 'system' });
      await act(id, 'stops/1/deliver');
    },
  ],
  [
    'assigned',
    'delivered',
    async (id) => {
      await act(id, 'pick-up');
      await depart(ctx, { deliveryId: id, overrideReason: null }, { type: 'system' });
      await act(id, 'stops/1/deliver');
    },
  ],
  ['picked-up', 'canceled', cancel],
  ['in-transit', 'failed', (id) => act(id, 'stops/1/fail', failing)],
  [null, 'delivered', (id) => act(id, 'stops/1/deliver')],
];

test('[J238] deliveries of each state that were stored before money are read, with their whole log', async () => {
  expect(new Set(OLD.map(({ state }) => state)).size).toBe(8);
  for (const { _id: id, state, fee, sequence } of OLD) {
    const shown = await read(id);
    expect([id, replyOf('GET /deliveries/{id}')?.safeParse(shown).error]).toEqual([id, undefined]);
    expect(shown).toMatchObject({ id, status: state, fee, hold: null, charge: null });
    const history = await call(house, `GET /deliveries/${id}/history`, { token: key });
    // Events stay as they were published, without later fields.
    expect(history.body.data?.map((event) => event['sequence'])).toEqual(
      Array.from({ length: Number(sequence) }, (_, index) => index + 1),
    );
  }
  const { body } = await call(house, 'GET /deliveries?limit=100', { token: key });
  expect(body.data?.map(({ id }) => id).toSorted()).toEqual(OLD.map(({ _id }) => _id).toSorted());
});

test.each(ENDS)(
  '[J238] an old delivery (%s) is carried on and ends %s, free and with one event log',
  async (...row) => {
    const [name, end, carry] = row;
    const id = idOf(name);
    const { sequence } = await ctx.deliveries.get(id);
    await carry(id);
    expect(await read(id)).toMatchObject({ status: end, hold: null, charge: null });
    const later = await ctx.eventLog.list(id, sequence, 100);
    expect(later.map((event) => event.sequence)).toEqual(later.map((_, index) => sequence + 1 + index));
    expect(later.length).toBeGreaterThan(0);
  },
);

test('[J238] old deliveries move no money, and old quotes and names still count', async () => {
  const booked = await mongo.db.collection('ledger_entries').countDocuments({});
  const held = await mongo.db.collection('ledger_holds').countDocuments({});
  expect([booked, held]).toEqual([0, 0]);
  expect(await verifyLedger(mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
  const again = aCreate({ external_id: 'delivered' });
  const known = await call(house, 'POST /deliveries', { token: key, body: again });
  expect([known.status, known.body['id']]).toEqual([200, idOf('delivered')]);
  const quoteId = OLD.find(({ externalId }) => externalId === 'delivered')?.['quoteId'];
  const unused = rowsOf('quotes').find(({ _id }) => _id !== quoteId)?._id;
  const apply = (quote_id: unknown) =>
    call(house, 'POST /vendor/promotions/subsidy', {
      token: key,
      body: { quote_id, subsidy: { type: 'free' } },
    });
  expect((await apply(quoteId)).body).toMatchObject({ code: 'used_quote' });
  const stillValid = { $set: { expiresAt: ctx.clock.now() + 60_000 } };
  await mongo.db.collection<AnyRow>('quotes').updateOne({ _id: String(unused) }, stillValid);
  const { amount, quote } = (await apply(unused)).body;
  expect(quote).toMatchObject({ fee: amount, customer_fee: 0, vendor_net_cost: amount, waiting_estimate: null });
});
