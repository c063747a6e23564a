import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideDispute, reviewDispute, withdrawDispute } from '../../../src/dispatch/billing/decide-dispute.ts';
import { raiseDispute, type RaiseDispute } from '../../../src/dispatch/billing/raise-dispute.ts';
import { refundDelivery } from '../../../src/dispatch/billing/refund-delivery.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { newId, type StaffId } from '../../../src/domain/ids.ts';
import { chargedOf, refundedOf } from '../../../src/domain/pricing/funds.ts';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { ENTRIES } from '../../../src/models/ledger/ledger-shapes.ts';
import { verifyLedger } from '../../../src/models/ledger/verify-ledger.ts';
import { DISPUTES } from '../../../src/models/disputes/dispute-shapes.ts';
import { OPEN_DISPUTES, type Dispute } from '../../../src/money/disputes/dispute.ts';
import { kindOfAccount } from '../../../src/money/ledger/accounts.ts';
import { asStaff, asVendor } from '../../callers.ts';
import { openShop } from '../shop.ts';
import { codeOf, historyOf, openWorld, type World } from '../world.ts';
import { storeCharged } from './charged.ts';

const world = await openWorld('disputes');
/** Another process. */
const other: World = { ...world, ...world.elsewhere };
const doer = asStaff();
const staffOf = (id: StaffId = newId('stf')) => ({
  doer,
  actor: { type: 'staff', id } as const,
  refundId: newId('rfd'),
});
const DAY_MS = 86_400_000;

const asked = ({ id }: Pick<Delivery, 'id'>, over: Partial<RaiseDispute> = {}): RaiseDispute => ({
  id: newId('dsp'),
  deliveryId: id,
  reason: 'arrived_late',
  description: 'The soup was cold.',
  proofIds: [],
  amount: null,
  ...over,
});
const raise = ({ vendorId, ...delivery }: Delivery, over: Partial<RaiseDispute> = {}, on: World = world) =>
  raiseDispute(on, asked(delivery, over), asVendor({ vendorId, liveMode: false }));
const verdict = (over: object = {}) =>
  ({ outcome: 'accepted', partyAtFault: 'courier', amount: null, note: 'We are sorry.', ...over }) as const;

/** The sum of all entries on the reserve, in the ledger of all tests. */
async function reserve(): Promise<number> {
  const rows = await world.mongo.collection(ENTRIES).find({ 'postings.account': 'reserve::test.EUR' }).toArray();
  const own = rows.flatMap(({ postings }) => postings).filter(({ account }) => kindOfAccount(account) === 'reserve');
  return own.reduce((sum, { amount }) => sum + Number(amount), 0);
}
async function openSum(): Promise<number> {
  const open = await world.mongo
    .collection(DISPUTES)
    .find({ state: { $in: [...OPEN_DISPUTES] } })
    .toArray();
  return open.reduce((sum, { amount }) => sum + Number(amount), 0);
}
/** A vendor and a delivery that was charged 16.50, of which 0.95 are tax. */
async function charged() {
  const shop = await openShop(world, 10_000);
  return { ...shop, delivery: await storeCharged(world, shop.vendorId) };
}

test('[J184] an accepted dispute refunds its delivery from the reserve, and the rest of the reserve goes back', async () => {
  const { delivery, balance } = await charged();
  const before = await reserve();
  const dispute = await raise(delivery, { amount: 1000 });
  expect([(await reserve()) - before, await balance()]).toEqual([1000, { posted: 8350, held: 0, owed: 0 }]);
  const by = staffOf();
  expect(await reviewDispute(world, dispute.id, by.actor)).toMatchObject({ state: 'in_review', handledBy: by.actor });
  const decided = await decideDispute(other, dispute.id, verdict({ amount: 400 }), by);
  expect(decided).toMatchObject({ state: 'accepted', refunded: 400, partyAtFault: 'courier', note: 'We are sorry.' });
  expect(await decideDispute(world, dispute.id, verdict({ amount: 400 }), { ...by, refundId: newId('rfd') })).toEqual(
    decided,
  );
  expect(await codeOf(decideDispute(world, dispute.id, verdict(), staffOf()))).toBe('dispute_closed');
  expect([await reserve(), await balance()]).toEqual([before, { posted: 8750, held: 0, owed: 0 }]);
  const stored = await world.deliveries.get(delivery.id);
  expect(stored.funds?.refunds).toMatchObject([
    { reference: `dispute:${dispute.id}`, disputeId: dispute.id, reason: 'The soup was cold.' },
  ]);
  expect((await historyOf(world, delivery.id)).at(-1)).toBe('delivery.refunded');
  const { items } = await world.audit.list({ objectId: dispute.id }, { limit: 9, after: null });
  expect(items.map(({ action }) => action)).toEqual(['dispute.decide', 'dispute.review', 'dispute.raise']);
  expect(await verifyLedger(world.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
});

test('[J184] a rejected or withdrawn dispute moves no money of the vendor, and the charge can be disputed again', async () => {
  const { delivery, balance } = await charged();
  const before = await reserve();
  const first = await raise(delivery);
  const by = staffOf();
  const rejected = await decideDispute(world, first.id, verdict({ outcome: 'rejected', partyAtFault: 'vendor' }), by);
  expect(rejected).toMatchObject({ state: 'rejected', refunded: null, partyAtFault: 'vendor' });
  const second = await raise(delivery, { amount: 7 });
  expect(await withdrawDispute(world, second.id)).toMatchObject({ state: 'withdrawn' });
  expect(await withdrawDispute(world, second.id)).toMatchObject({ state: 'withdrawn', version: 2 });
  expect(await codeOf(decideDispute(world, second.id, verdict(), by))).toBe('dispute_closed');
  expect([await reserve(), await balance()]).toEqual([before, { posted: 8350, held: 0, owed: 0 }]);
});

test('[J181] a dispute needs a charge of its own vendor, at most what is left of it, within the window', async () => {
  const { delivery } = await charged();
  const stranger = asVendor({ vendorId: newId('ven'), liveMode: false });
  expect(await codeOf(raiseDispute(world, asked(delivery), stranger))).toBe('delivery_not_found');
  expect(await codeOf(raise(delivery, { amount: 1651 }))).toBe('refund_exceeds_charge');
  expect(await codeOf(raise(delivery, { proofIds: [newId('prf')] }))).toBe('impossible_value');
  const dispute = await raise(delivery, { amount: 1000 });
  expect(await codeOf(decideDispute(world, dispute.id, verdict({ amount: 1001 }), staffOf()))).toBe('impossible_value');
  // A refund beside it leaves less of the charge than the dispute asks for.
  const refund = { deliveryId: delivery.id, id: newId('rfd'), reference: 'beside', reason: 'beside', amount: 1600 };
  await refundDelivery(world, refund, doer);
  expect(await codeOf(decideDispute(world, dispute.id, verdict(), staffOf()))).toBe('refund_exceeds_charge');
  expect(await decideDispute(world, dispute.id, verdict({ amount: 50 }), staffOf())).toMatchObject({ refunded: 50 });
  const late = await charged();
  await world.clock.advance(14 * DAY_MS + 1);
  expect(await codeOf(raise(late.delivery))).toBe('refund_not_possible');
});

test('[J182] of many disputes at once, one is open for a delivery, and no vendor exceeds its limits', async () => {
  const { delivery, vendorId } = await charged();
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, (_, index) => raise(delivery, {}, index % 2 === 0 ? world : other)),
  );
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Refusal] : []));
  expect(refusals.map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => 'dispute_open'));
  const { items } = await world.disputes.list({ vendorId, liveMode: false }, { limit: 9, after: null });
  expect(refusals.map(({ told }) => told.metadata)).toEqual(refusals.map(() => ({ dispute_id: items[0]?.id })));
  expect(items).toHaveLength(1);
  const few = {
    ...world,
    settings: { ...world.settings, disputes: { ...world.settings.disputes, mostOpen: 3, mostPerDay: 4 } },
  };
  const more = [];
  for (let count = 0; count < 5; count += 1) more.push(await storeCharged(world, vendorId));
  const codes = async (deliveries: readonly Delivery[]) =>
    (await Promise.allSettled(deliveries.map((one) => raise(one, {}, few)))).map((result) =>
      result.status === 'rejected' ? (result.reason as Refusal).code : 'raised',
    );
  expect((await codes(more.slice(0, 4))).toSorted()).toEqual([
    'raised',
    'raised',
    'too_many_disputes',
    'too_many_disputes',
  ]);
  for (const { id } of (await world.disputes.list({ vendorId, liveMode: false }, { limit: 9, after: null })).items)
    await withdrawDispute(world, id);
  const left: Delivery[] = [];
  for (const one of more)
    if ((await world.disputes.list({ deliveryId: one.id }, { limit: 1, after: null })).items.length === 0)
      left.push(one);
  expect((await codes(left)).toSorted()).toEqual(['raised', 'too_many_requests', 'too_many_requests']);
});

test('[J185] of decisions and a withdrawal at once in two processes, one happens, with its money', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { delivery, balance } = await charged();
    const before = await reserve();
    const { id } = await raise(delivery);
    const [one, two, three] = [staffOf(), staffOf(), staffOf()];
    const attempts = [
      () => decideDispute(world, id, verdict(), one),
      () => decideDispute(other, id, verdict({ amount: 100 }), two),
      () => decideDispute(world, id, verdict({ outcome: 'rejected' }), three),
      () => withdrawDispute(other, id),
    ];
    const results = await Promise.allSettled(attempts.map((attempt) => attempt()));
    const codes = results.map((result) => (result.status === 'rejected' ? (result.reason as Refusal).code : 'done'));
    expect(codes.toSorted()).toEqual(['dispute_closed', 'dispute_closed', 'dispute_closed', 'done']);
    const ended = (await world.disputes.find(id)) as Dispute;
    expect(await attempts[codes.indexOf('done')]?.()).toEqual(ended);
    const { state, refunded, amount } = ended;
    expect(['accepted', 'rejected', 'withdrawn']).toContain(state);
    expect((await balance()).posted).toBe(8350 + (refunded ?? 0));
    expect([await reserve(), amount]).toEqual([before, 1650]);
  }
  expect(await verifyLedger(world.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
});

/** The first steps. With them each of these verbs succeeds at least once, whatever the random steps do. */
const BEGINNING = (
  [
    ['raise', 0],
    ['accept', 0],
    ['raise', 0],
    ['reject', 1],
    ['raise', 0],
    ['withdraw', 2],
    ['refund', 0],
  ] as const
).map(([what, pick]) => ({ what, pick, size: 100, twice: false }));
const STEP = fc.record({
  what: fc.constantFrom('charge', 'refund', 'raise', 'raise', 'accept', 'accept', 'reject', 'withdraw', 'review'),
  pick: fc.nat(1000),
  size: fc.integer({ min: 1, max: 2000 }),
  twice: fc.boolean(),
});
type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

test('[J187] after random refunds and disputes in two processes, with duplicates, the ledger verifies and the reserve is what is open', async () => {
  const plans = fc.array(STEP, { minLength: 50, maxLength: 50 }).map((more) => [...BEGINNING, ...more]);
  await fc.assert(fc.asyncProperty(plans, live), { numRuns: 1, endOnFailure: true });
});

/** Follows the plan with a new vendor. */
async function live(plan: readonly Step[]): Promise<void> {
  const { vendorId } = await openShop(world, 1_000_000);
  const [deliveries, disputes]: [Delivery[], Dispute[]] = [[await storeCharged(world, vendorId)], []];
  const done: Record<string, number> = {};
  for (const { what, pick, size, twice } of plan) {
    const delivery = deliveries[pick % deliveries.length]!;
    const dispute = disputes[pick % Math.max(1, disputes.length)];
    const by = staffOf();
    const refund = { deliveryId: delivery.id, id: newId('rfd'), reference: newId('req'), reason: 'x', amount: size };
    const wanted = asked(delivery, { amount: size });
    const vendor = asVendor({ vendorId, liveMode: false });
    const run = async (on: World): Promise<unknown> => {
      if (what === 'refund') return refundDelivery(on, refund, doer);
      if (what === 'raise') return disputes.push(await raiseDispute(on, wanted, vendor));
      if (dispute === undefined) throw new Refusal('dispute_not_found');
      if (what === 'review') return reviewDispute(on, dispute.id, by.actor);
      if (what === 'withdraw') return withdrawDispute(on, dispute.id);
      const outcome = what === 'accept' ? 'accepted' : 'rejected';
      const amount = what === 'accept' && pick % 2 === 0 ? size : null;
      return decideDispute(on, dispute.id, verdict({ outcome, amount }), by);
    };
    if (what === 'charge') deliveries.push(await storeCharged(world, vendorId));
    else {
      const results = await Promise.allSettled(twice ? [run(world), run(other)] : [run(world)]);
      for (const result of results)
        if (result.status === 'rejected' && !(result.reason instanceof Refusal)) throw result.reason;
      if (results.some(({ status }) => status === 'fulfilled')) done[what] = (done[what] ?? 0) + 1;
    }
    expect(await reserve()).toBe(await openSum());
  }
  for (const { id } of deliveries) {
    const { funds } = await world.deliveries.get(id);
    const refunds = await world.mongo.collection(ENTRIES).find({ about: id, kind: 'refund' }).toArray();
    const back = refunds.flatMap(({ lines = [] }) => lines).reduce((sum, { amount }) => sum - Number(amount), 0);
    expect(back).toBe(refundedOf(funds ?? {}));
    expect(back).toBeLessThanOrEqual(chargedOf(funds?.charges ?? []));
  }
  for (const { id } of disputes)
    if ((OPEN_DISPUTES as readonly string[]).includes((await world.disputes.find(id))?.state ?? ''))
      await withdrawDispute(world, id);
  expect(await reserve()).toBe(await openSum());
  expect(await verifyLedger(world.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
  expect(Object.keys(done)).toEqual(expect.arrayContaining(['refund', 'raise', 'accept', 'reject', 'withdraw']));
}
