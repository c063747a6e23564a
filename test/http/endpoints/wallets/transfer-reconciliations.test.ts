import { expect, test } from 'vitest';
import type { Day } from '../../../../src/dispatch/reconcile/day.ts';
import { reconcileDay, reconcileDue } from '../../../../src/dispatch/reconcile/reconcile-days.ts';
import { newId } from '../../../../src/domain/ids.ts';
import { amountOf } from '../../../../src/money/amount.ts';
import { bookPayout } from '../../../../src/money/payouts/book-payout.ts';
import { batchIdOf, type Payout } from '../../../../src/money/payouts/payout.ts';
import type { Reconciliation } from '../../../../src/money/reconcile/reconciliation.ts';
import type { Gateway } from '../../../../src/ports/money/gateways.ts';
import { keptMetrics } from '../../../kept-ports.ts';
import { anEntry } from '../../../models/audit/an-entry.ts';
import { earn } from '../../../money/payouts/an-earning.ts';
import { aBatch, aPayout } from '../../../money/payouts/a-payout.ts';
import { aReconciliation } from '../../../money/reconcile/a-reconciliation.ts';
import { addStaff, call, openHouse } from '../../house.ts';

const house = await openHouse('transfer reconciliations');
const { ctx } = house;
const [DAY_MS, HOUR_MS] = [86_400_000, 3_600_000];
const sandbox = ctx.gateways.find(({ name }) => name === 'sandbox') as Gateway;
/** Each test has a day of its own, long ago. */
let days = 0;
function aDay(): Day {
  days += 1;
  return { gateway: sandbox, liveMode: false, from: (10_000 + 10 * days) * DAY_MS, subject: 'transfers' };
}

/** A payout that was paid on the day, after this time. `end` takes it back afterwards. */
async function paidOut(day: Day, sinceMs: number, end: 'paid' | 'reversed' = 'paid'): Promise<Payout> {
  const updatedAt = day.from + sinceMs;
  const payout = aPayout({ batchId: batchIdOf(false, 'EUR', newId('pay')), state: 'processing', updatedAt });
  await earn(ctx, payout.courierId, { pay: payout.amount });
  await ctx.payouts.addBatch(aBatch({ id: payout.batchId }), anEntry());
  await ctx.payouts.makePage(
    aBatch({ id: payout.batchId }),
    [{ payout, command: bookPayout(payout, 'reserve') }],
    null,
  );
  const paid: Payout = { ...payout, state: 'paid', version: 2, dueAt: null };
  expect(await ctx.payouts.replace(paid, bookPayout(paid, 'pay_out'), null)).toBe(true);
  const reversed: Payout = { ...paid, state: 'reversed', version: 3 };
  if (end === 'reversed') await ctx.payouts.replace(reversed, bookPayout(reversed, 'take_back'), null);
  return payout;
}

/** A transfer that the sandbox has made on the day, after this time. */
async function sent(day: Day, sinceMs: number, reference: string, mode = '00'): Promise<string> {
  const transfer = { reference, amount: amountOf(1000), currency: 'EUR', mode, createdAt: day.from + sinceMs };
  await ctx.sandboxTransfers.add(transfer);
  return reference;
}

const shown = ({ matched, unmatched }: Reconciliation) => ({
  matched,
  unmatched: unmatched.map(({ side, why, payoutId, gatewayId }) => [side, why, payoutId, gatewayId]),
});

test('[J291] each transfer is matched, only ours or only theirs, also at the edges of the day', async () => {
  const day = aDay();
  const [first, last] = [await paidOut(day, 0), await paidOut(day, DAY_MS + 5)];
  await sent(day, 0, first.id);
  await sent(day, DAY_MS - 1, last.id);
  const missing = await paidOut(day, HOUR_MS);
  const differs = await paidOut(day, HOUR_MS);
  await sent(day, HOUR_MS, differs.id, '07');
  const strange = await sent(day, 2 * HOUR_MS, 'a transfer of another program');
  const unbooked = await sent(day, 3 * HOUR_MS, newId('pay'));
  const returned = await paidOut(day, 4 * HOUR_MS, 'reversed');
  await sent(day, 4 * HOUR_MS, returned.id);
  // The bank has sent it back, and we have not noticed.
  const lost = await paidOut(day, 5 * HOUR_MS);
  await sent(day, 5 * HOUR_MS, lost.id, '12');
  // It came back on both sides.
  const back = await paidOut(day, 6 * HOUR_MS, 'reversed');
  await sent(day, 6 * HOUR_MS, back.id, '12');
  const reconciliation = await reconcileDay(ctx, day, null);
  expect([reconciliation.oursOnly, reconciliation.theirsOnly]).toEqual([2, 4]);
  const { matched, unmatched } = shown(reconciliation);
  expect(matched).toBe(2);
  expect(unmatched.slice(0, 4)).toEqual([
    ['theirs', 'amount_differs', differs.id, differs.id],
    ['theirs', 'not_booked', null, strange],
    ['theirs', 'not_booked', unbooked, unbooked],
    ['theirs', 'not_booked', returned.id, returned.id],
  ]);
  expect(new Set(unmatched.slice(4).map(([, why, id]) => `${why} ${id}`))).toEqual(
    new Set([`not_listed ${missing.id}`, `not_listed ${lost.id}`]),
  );
  // The payout was paid a day after its transfer, which is listed on its own day.
  expect(shown(await reconcileDay(ctx, { ...day, from: day.from + DAY_MS }, null))).toEqual({
    matched: 0,
    unmatched: [],
  });
});

test('[J291] the gateway is asked about a payout whose transfer took days', async () => {
  const day = aDay();
  const slow = await paidOut(day, HOUR_MS);
  await sent(day, -3 * DAY_MS, slow.id);
  expect(shown(await reconcileDay(ctx, day, null))).toEqual({ matched: 0, unmatched: [] });
});

test('[J291] the sandbox lists its successful transfers of a span, page by page, and only to this server', async () => {
  const day = aDay();
  const ids: string[] = [];
  for (let at = 0; at < 103; at += 1) ids.push(await sent(day, at, newId('pay')));
  // It has failed.
  await sent(day, 50, newId('pay'), '11');
  const span = { liveMode: false, from: day.from + 1, to: day.from + 102 };
  const first = await sandbox.transfers?.list(span, null);
  const second = await sandbox.transfers?.list(span, first?.next ?? null);
  const listed = [...(first?.items ?? []), ...(second?.items ?? [])].map(({ payoutId }) => payoutId);
  expect(listed).toEqual(ids.slice(1, 102));
  expect([first?.items.length, second?.next]).toEqual([99, null]);
  for (const route of ['GET /sandbox/transfers?from=0&to=1', 'GET /sandbox/transfers'] as const)
    expect((await call(house, route)).status).toBe(401);
});

test('[J292] a difference is logged, counted, compared again and shown to finance, apart from payments', async () => {
  const now = (60_000 + 30) * DAY_MS;
  const yesterday: Day = { ...aDay(), from: now - DAY_MS };
  const stray = await sent(yesterday, HOUR_MS, newId('pay'));
  const metrics = keptMetrics();
  const runs: unknown[] = [];
  const date = new Date(yesterday.from).toISOString().slice(0, 10);
  for (const hours of [26, 26, 27, 300]) {
    const clock = { ...ctx.clock, now: () => now + hours * HOUR_MS };
    await reconcileDue({ ...ctx, metrics, clock }, { gateway: 'sandbox', liveMode: false }, () => true);
    const both = [`sandbox.test.${date}`, `sandbox.test.${date}.transfers`] as const;
    const found = await Promise.all(both.map((id) => ctx.reconciliations.find(id as Reconciliation['id'])));
    runs.push(found.map((one) => one?.runs));
  }
  expect(runs).toEqual([
    [1, 1],
    [1, 1],
    [1, 2],
    [1, 3],
  ]);
  const complaint = house.lines.filter(({ level, fields }) => level === 'error' && fields['date'] === date);
  expect(complaint).toMatchObject(
    [1, 2, 3].map((run) => ({ fields: { subject: 'transfers', theirsOnly: 1, runs: run } })),
  );
  expect(metrics.counts.get('reconciled_transfers_total sandbox theirs_only')).toBe(1);
  const finance = await addStaff(house, 'finance');
  const { body } = await call(house, 'GET /wallets/reconciliations?matched=false&limit=1', { token: finance });
  const unmatched = [{ side: 'theirs', reason: 'not_booked', top_up_id: null, payout_id: stray, gateway_id: stray }];
  expect(body.data).toMatchObject([{ subject: 'transfers', gateway: 'sandbox', date, matched: 0, unmatched }]);
});

test('[J292] a comparison that was stored before transfers were compared is one of payments', async () => {
  const { id, subject: _none, unmatched: _all, ...rest } = aReconciliation({ id: 'sandbox.test.2025-01-05' });
  const rows = house.mongo.db.collection<{ _id: string }>('reconciliations');
  const unmatched = { side: 'theirs', why: 'not_booked', topUpId: null, gatewayId: '1', amount: 5n, currency: 'EUR' };
  await rows.insertOne({ _id: id, ...rest, isClean: false, unmatched: [unmatched] } as never);
  const [found] = [await ctx.reconciliations.find(id)];
  expect(found).toMatchObject({ subject: 'payments', unmatched: [{ payoutId: null, amount: 5 }] });
});
