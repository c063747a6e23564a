import { reserveDisputed } from '../../src/money/disputes/book-dispute.ts';
import { aDispute } from '../money/disputes/a-dispute.ts';
import { earn } from '../money/payouts/an-earning.ts';
import { aBankAccount, aBatch, aPayout } from '../money/payouts/a-payout.ts';
import { bookPayout } from '../../src/money/payouts/book-payout.ts';
import { aRating } from './analytics-rows.ts';
import { aDocument } from './couriers/a-document.ts';
import { newId } from '../../src/domain/ids.ts';
import { createClockMark } from '../../src/models/settings/clock-mark.ts';
import { createDecisionStore } from '../../src/models/regions/decision-store.ts';
import { createDemoRows } from '../../src/models/demo-rows.ts';
import { createTravelStore } from '../../src/models/learning/travel-store.ts';
import { recordSecrets } from '../../src/models/secrets/secret-hashes.ts';
import { loadSecrets } from '../../src/models/secrets/secrets.ts';
import { createRequestStore } from '../../src/models/request-store.ts';
import { createWebhookStore } from '../../src/models/webhooks/webhook-store.ts';
import { withEffects } from '../../src/dispatch/change-delivery.ts';
import { foldSome } from '../../src/dispatch/analytics/fold-log.ts';
import { aLocation, aQuote, aVendor, anOffer, CENTER, NOON } from '../builders.ts';
import { aDevice } from '../process/push/house.ts';
import {
  anAssignment,
  aBirth,
  aChange,
  CLOCK,
  SETTINGS,
  storeCourier,
  storeDelivery,
  type House,
} from '../engines/mongo-house.ts';
import { settleOnce } from '../money/settlement/an-account.ts';
import { anInvoice, issue } from '../money/billing/an-invoice.ts';
import { aCapture, aCredit, aHold, aWallet } from '../money/ledger/commands.ts';
import { keptMetrics } from '../kept-ports.ts';
import { bookArrival } from '../../src/money/suspense/suspense.ts';
import { aReconciliation } from '../money/reconcile/a-reconciliation.ts';
import { addRefund, aTopUpRefund } from '../money/top-ups/a-refund.ts';
import { anAdjustment } from '../money/wallets/an-adjustment.ts';
import { aSuspense } from '../money/suspense/a-suspense.ts';
import { aSandboxPayment, aTopUp } from '../money/top-ups/a-top-up.ts';
import { anEntry } from './audit/an-entry.ts';
import { aFile } from './files/a-file.ts';
import { until } from '../until.ts';
import type { aDoor } from './access/credentials-house.ts';

/** Stores at least one document in every collection, each through the store that writes it in the product. */
export async function liveOnce(house: House, { credentials }: Awaited<ReturnType<typeof aDoor>>): Promise<void> {
  await deliverOnce(house);
  await house.files.add(aFile(), Buffer.from('content'));
  const document = aDocument();
  await house.documents.add(document, null);
  await house.documents.putOff(document, { dueAt: null, keptMs: 1e9 });
  await learnOnce(house);
  const { mongo } = house;
  await recordSecrets(mongo, await loadSecrets(mongo, {}));
  await createClockMark(mongo).move({ reachedMs: 1, wallMs: NOON, scale: 1 });
  await house.audit.record({
    action: 'courier.state',
    objectId: newId('cou'),
    vendorId: newId('ven'),
    liveMode: true,
    changes: { state: { from: null, to: 'active' } },
  });
  await house.audit.seal(10);
  await payOnce(house);
  await keepDemo(house);
  const account = { email: 'ada@example.com', password: 'a long password', roles: ['admin'] } as const;
  await credentials.addStaff(account);
  await credentials.resetStaff(account);
  await credentials.addVendorKey(newId('ven'), false);
  const { refreshToken } = await credentials.grant({ type: 'password', ...account }, 'here');
  await credentials.grant({ type: 'refresh_token', refreshToken: refreshToken ?? '' }, 'here');
  await credentials.requestOtp('+4930999999', 'here');
  await until(async () => (await mongo.db.collection('one_time_codes').countDocuments()) > 0);
}

/** A delivery that is quoted, offered, declined, assigned and canceled, with its webhook and its alarm. */
async function deliverOnce(house: House): Promise<void> {
  const vendor = aVendor();
  const [vendorId, liveMode] = [vendor.id, false];
  await house.vendors.add(vendor);
  const parts = { street: '1 Market Square', city: 'Berlin', country: 'DE' };
  await house.vendors.addLocation(aLocation({ vendorId, address: parts }));
  await house.devices.register(aDevice());
  const discounts = [{ type: 'promotion', amount: 50, paid_by: 'platform' }] as const;
  const split = { customer: 400, vendor: 0, platform: 50, discounts, surgeBp: 10_000, isSurgeCapped: false };
  const waiting = { minutes: 1, amount: 20 };
  const quote = await house.quotes.add(aQuote({ split, freeKg: 5, waiting, polylines: ['_izlhA~rlgdF_{geC~ywl@'] }));
  const terms = { type: 'free' } as const;
  await house.quotes.subsidize({ ...quote, split, subsidy: { id: newId('sub'), terms, amount: 5, appliedAt: NOON } });
  const base = { terms: { type: 'base', amount: 450 } as const, activeFrom: NOON, activeTo: null, createdAt: NOON };
  const book = { id: vendorId, rules: [{ id: newId('prl'), ...base }], version: 1, updatedAt: NOON };
  await house.ruleBooks.replace(book, 0, anEntry());
  const webhooks = createWebhookStore(house.mongo, Buffer.alloc(32, 7), CLOCK, SETTINGS, house.audit);
  const registration = { id: newId('whk'), vendorId, liveMode, url: 'https://example.com', events: ['*'] };
  const requests = createRequestStore(house.mongo, Buffer.alloc(32, 7), CLOCK, SETTINGS);
  await requests.take({ id: 'request', fingerprint: 'body' });
  await webhooks.register(
    { ...registration, description: null, ordering: 'per_delivery', createdAt: NOON },
    'whsec_x',
    20,
  );
  const birth = aBirth({ vendorId, custom: { table: 7, vip: true, note: 'x' } }, [
    { fact: 'external:1', holder: newId('del') },
  ]);
  const polylines = ['_izlhA~rlgdF_{geC~ywl@'];
  const drawing = { kind: 'keep_polylines', deliveryId: birth.after.id, vendorId, liveMode, polylines } as const;
  await house.commit(withEffects(birth, [drawing]));
  while ((await webhooks.fanOut(100)).events > 0);
  const [attempt] = (await webhooks.claimDue(registration.id, { now: CLOCK.now(), leaseMs: 60_000, limit: 1 }))
    .attempts;
  if (attempt === undefined) throw new Error('an attempt is due');
  await webhooks.record(attempt.lease, { at: NOON, status: 200, tookMs: 1, error: null, response: 'ok' }, null);
  const courier = await storeCourier(house);
  const other = await storeCourier(house);
  const declined = anOffer({ deliveryId: birth.after.id, courierId: other.id });
  await house.offers.open(declined);
  await house.offers.close(declined.id, 'declined', 'too_far', NOON);
  const assigned = anAssignment(birth.after, courier);
  await house.commit(assigned);
  const about = { deliveryId: birth.after.id, courierId: null, cell: '87', since: NOON, clearedAt: null, detail: 'x' };
  await house.alarms.raise({ id: newId('alm'), kind: 'late', ...about });
  await house.alarms.clear(birth.after.id);
  const times = { ...assigned.after.times, canceledAt: NOON };
  await house.commit(aChange(assigned.after, { state: 'canceled', times }, 'canceled'));
  await house.ratings.put(aRating());
  await foldSome({ ...house, settings: SETTINGS });
  const open = await storeDelivery(house);
  await house.offers.open(anOffer({ deliveryId: open.id, courierId: other.id }));
}

async function learnOnce(house: House): Promise<void> {
  const { mongo, preparation, acceptance } = house;
  const [vendorId, cell] = [newId('ven'), '871f18032ffffff'];
  const sample = { vendorId, liveMode: true, cell, hour: 7, ms: 60_000, isBound: false };
  await preparation.record([sample], { quantile: 0.6, memory: 60 });
  const answered = anOffer({ state: 'declined', closedAt: NOON, deliveredAt: NOON, distanceM: 10 });
  acceptance.record(answered);
  const leg = { cell, hour: 7, vehicle: 'scooter', liveMode: true, metres: 900, seconds: 200 } as const;
  await createTravelStore(mongo, CLOCK).record([leg]);
  const facts = { id: newId('run'), region: 'north', fence: 1, at: NOON, tookMs: 1, rounds: 1, seed: 1 };
  const candidate = { courierId: newId('cou'), arriveS: 1.5, aloneS: 2, priceS: 0, acceptance: 0.8 };
  const decision = {
    deliveryId: newId('del'),
    runId: facts.id,
    at: NOON,
    verdict: 'not_due',
    courierId: null,
  } as const;
  createDecisionStore({ mongo, clock: CLOCK, metrics: keptMetrics(), settings: SETTINGS }).record({
    ...facts,
    request: { a: 1 },
    answer: { b: 2 },
    decisions: [{ ...decision, costS: 1, asked: [], candidates: [candidate] }],
  });
  for (const name of ['acceptance', 'decisions']) {
    await until(async () => (await mongo.db.collection(name).countDocuments()) > 0);
  }
}

/** A wallet that is filled, a hold of it that is captured, a top-up and a payment at the sandbox. */
async function payOnce({
  ledger,
  topUps,
  topUpRefunds,
  suspense,
  adjustments,
  reconciliations,
  sandbox,
  invoices,
  ...house
}: House): Promise<void> {
  const { id } = await issue({ invoices, mongo: house.mongo }, anInvoice());
  const invoice = await invoices.find(id);
  if (invoice !== null) await invoices.addPrinted(invoice, { pdf: Buffer.from('%PDF'), sha256: 'hash' });
  const wallet = aWallet();
  await ledger.post(aCredit('credit', wallet, 100), null);
  await ledger.post(aHold('hold', wallet, 60), null);
  await ledger.post(aCapture('hold', 'charge', wallet, 50), null);
  await ledger.seal(10);
  const topUp = aTopUp({ returnUrl: 'https://shop.example' });
  await topUps.add(topUp, 1);
  await topUps.open(topUp.id, { url: 'https://pay.example', gatewayId: '1', expiresAt: NOON });
  await topUps.end(topUp.id, { state: 'expired', reason: 'not_paid', isFinal: true });
  await reconciliations.put(aReconciliation());
  const money = aSuspense();
  await suspense.add(money, bookArrival(money));
  await addRefund({ ledger, topUpRefunds }, aTopUpRefund());
  await adjustments.add(anAdjustment({ vendorId: money.vendorId }), anEntry());
  const payment = aSandboxPayment();
  await sandbox.add(payment);
  const paid = { amount: payment.amount, currency: payment.currency };
  await sandbox.resolve(payment.reference, { status: 'paid', paid, resolvedAt: NOON }, { count: 1, dueAt: NOON });
  await settleOnce(house);
  const dispute = aDispute();
  const limits = { mostOpen: 1, mostSince: 1, since: 0 };
  await house.disputes.add(dispute, reserveDisputed(dispute), anEntry(), limits);
  await payCouriersOnce({ ledger, ...house });
}

/** A bank account, earnings, a batch with its payout, and a transfer of the sandbox. */
async function payCouriersOnce({
  ledger,
  bankAccounts,
  payouts,
  sandboxTransfers,
}: Pick<House, 'ledger' | 'bankAccounts' | 'payouts' | 'sandboxTransfers'>): Promise<void> {
  const [batch, payout] = [aBatch(), aPayout({ sealedDetails: 'sealed' })];
  await bankAccounts.put(aBankAccount(payout.courierId), anEntry());
  await earn({ ledger }, payout.courierId, { pay: payout.amount });
  await payouts.addBatch(batch, anEntry());
  await payouts.makePage(batch, [{ payout, command: bookPayout(payout, 'reserve') }], null);
  const { id: reference, amount, currency } = payout;
  await sandboxTransfers.add({ reference, amount, currency, mode: '00', payment: newId('top'), createdAt: NOON });
}

function keepDemo({ mongo }: House): Promise<void> {
  const facts = {
    center: CENTER,
    vendor: { id: newId('ven'), api_key: 'dsk_test_x', location_id: newId('loc') },
    couriers: [{ id: newId('cou'), phone: '+4930123456' }],
    staff: { email: 'dispatcher@example.com', password: 'shown' },
  };
  return createDemoRows(mongo).keep({ facts, isUnfinished: true });
}
