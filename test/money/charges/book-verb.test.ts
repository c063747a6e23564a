import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chargedOf } from '../../../src/domain/pricing/funds.ts';
import { TRANSITIONS, type Row } from '../../../src/domain/deliveries/lifecycle.ts';
import { CANCEL_REASONS_OF, FAIL_REASONS } from '../../../src/domain/deliveries/states.ts';
import { bookVerb } from '../../../src/money/charges/book-verb.ts';
import { raiseTip } from '../../../src/money/charges/fund-delivery.ts';
import { kindOfAccount } from '../../../src/money/ledger/accounts.ts';
import { assertSound } from '../../../src/money/ledger/entries.ts';
import { aCourier, aDelivery, aStop, heldBy, NOON } from '../../builders.ts';
import { byVendor, endOf, ENDS, entryIn, funded, funded10, MINUTE_MS, TERMS } from './ends.ts';

test('[J50] births hold, and every verb that ends a delivery charges', () => {
  const books = Object.fromEntries(TRANSITIONS.map((row: Row) => [`${row.verb} ${row.to}`, row.books ?? null]));
  for (const [row, booked] of Object.entries(books)) {
    const isEnd = /delivered$|failed$|canceled$/.test(row);
    const isBirth = row.startsWith('create') || row.startsWith('schedule ');
    expect([row, booked !== null]).toEqual([row, isEnd || isBirth]);
  }
  expect(books).toMatchObject({ 'deliver delivered': 'charge', 'fail failed': 'charge_failure' });
  const born = funded(aDelivery({ fee: 1000, tip: 150 }), 300);
  const hold = { key: `delivery:${born.id}`, amount: 850, about: born.id };
  expect(endOf('hold', born).commands).toMatchObject([{ do: 'hold', hold }]);
  const free = { before: null, now: NOON, opensReturn: false, terms: TERMS } as const;
  expect(bookVerb({ ...free, books: 'hold', after: aDelivery() }).commands).toEqual([]);
  expect(bookVerb({ ...free, books: undefined, after: born }).commands).toEqual([]);
});

test('[J51] a delivered delivery charges its fee and tip, and pays the courier 80 % of the fee and the tip', () => {
  const { commands, charged, funds } = endOf('charge', funded10('in_transit', { tip: 150 }, 300));
  expect(commands).toMatchObject([{ do: 'capture', entry: { kind: 'charge' } }]);
  expect(charged).toEqual({
    wallet: -850,
    promotion: -300,
    revenue: 1000,
    delivery_cost: -800,
    earnings: 950,
  });
  expect(funds?.charges).toEqual([
    { type: 'delivery', amount: 700, tax: 0 },
    { type: 'tip', amount: 150, tax: 0 },
  ]);
});

test('[J52] a cancel costs by the state of the delivery and the time since the assignment', () => {
  const feeAt = (before: ReturnType<typeof funded>, now = NOON, opensReturn = false) =>
    chargedOf(endOf('charge_cancel', before, byVendor(), { now, opensReturn }).funds?.charges ?? []);
  expect(feeAt(funded(aDelivery({ fee: 1000, tip: 50 })))).toBe(0);
  expect(feeAt(funded10('assigned'), NOON + 2 * MINUTE_MS)).toBe(0);
  expect(feeAt(funded10('assigned'), NOON + 2 * MINUTE_MS + 1)).toBe(250);
  const there = funded10('assigned', { pickup: aStop(0, { state: 'arrived', arrivedAt: NOON }) });
  expect([feeAt(there), feeAt(there, NOON + 10 * MINUTE_MS + 1)]).toEqual([500, 520]);
  expect([feeAt(funded10('in_transit')), feeAt(funded10('in_transit'), NOON, true)]).toEqual([1000, 1600]);
  const later = endOf('charge_cancel', funded10('assigned', { tip: 90 }, 600), byVendor(), {
    now: NOON + 3 * MINUTE_MS,
  });
  expect(later.charged).toEqual({ wallet: -100, promotion: -150, revenue: 250, delivery_cost: -200, earnings: 200 });
});

test('[J53] a cancel costs nothing if the cause lies with courier or platform', () => {
  const onTheWay = funded10('in_transit');
  const feeFor = (by: 'vendor' | 'staff' | 'system', reason: string | null, before = onTheWay, now = NOON) => {
    const { commands } = endOf('charge_cancel', before, { state: 'canceled', ending: { by, reason } }, { now });
    return commands[0]?.do === 'void' && commands.length === 1 ? 0 : chargedOf(entryIn(commands)?.lines ?? []);
  };
  for (const reason of CANCEL_REASONS_OF.vendor) {
    expect([reason, feeFor('vendor', reason)]).toEqual([reason, 1000]);
    expect([reason, feeFor('staff', reason)]).toEqual([reason, reason === 'other' ? 0 : 1000]);
  }
  expect([feeFor('staff', null), feeFor('staff', 'store_closed'), feeFor('vendor', null)]).toEqual([0, 1000, 1000]);
  for (const reason of CANCEL_REASONS_OF.system) expect(feeFor('system', reason)).toBe(0);
  const waiting = funded10('assigned');
  const lateBy = (minutes: number) => feeFor('vendor', 'courier_late', waiting, NOON + minutes * MINUTE_MS);
  expect([lateBy(9), lateBy(10)]).toEqual([250, 0]);
});

test('[J54] waiting costs from 10 min after arrival and ready time, per minute begun, for 30 min at most', () => {
  const waitFor = (minutes: number, readyAt: number | null = null) => {
    const doneAt = NOON + minutes * MINUTE_MS;
    const pickup = aStop(0, { state: 'delivered', arrivedAt: NOON, doneAt, window: { readyAt, deadlineAt: null } });
    const { funds } = endOf('charge', funded10('in_transit', { pickup }));
    return funds?.charges?.find(({ type }) => type === 'wait')?.amount ?? 0;
  };
  expect([waitFor(10), waitFor(10.01), waitFor(11), waitFor(40), waitFor(300)]).toEqual([0, 20, 20, 600, 600]);
  expect([waitFor(25, NOON + 15 * MINUTE_MS), waitFor(25.5, NOON + 15 * MINUTE_MS)]).toEqual([0, 20]);
  expect(waitFor(12, NOON - 60 * MINUTE_MS)).toBe(40);
  const unseen = funded10('in_transit', { pickup: aStop(0, { state: 'delivered', doneAt: NOON + 50 * MINUTE_MS }) });
  expect(endOf('charge', unseen).charged).toMatchObject({ wallet: -1000 });
});

test('[J54] a delay after the courier has arrived makes no waiting free', () => {
  const pickup = aStop(0, {
    state: 'delivered',
    arrivedAt: NOON,
    doneAt: NOON + 41 * MINUTE_MS,
    window: { readyAt: NOON + 41 * MINUTE_MS, deadlineAt: null },
  });
  const delivery = funded10('in_transit', { pickup });
  const { preparation } = delivery;
  expect(endOf('charge', delivery).charged).toMatchObject({ wallet: -1000 });
  const delayed = { ...delivery, preparation: { ...preparation, waitsFromAt: NOON } };
  // The goods were ready sooner than before the delay.
  const window = { readyAt: NOON, deadlineAt: null };
  const ready = {
    ...delayed,
    pickup: { ...pickup, window },
    preparation: { ...preparation, waitsFromAt: NOON + 20 * MINUTE_MS },
  };
  expect(endOf('charge', ready).funds?.charges).toContainEqual(expect.objectContaining({ type: 'wait', amount: 600 }));
  expect(endOf('charge', delayed).funds?.charges).toContainEqual(
    expect.objectContaining({ type: 'wait', amount: 600 }),
  );
});

test('[J55] a failed delivery charges the parts of the drop-offs that failed through vendor or recipient', () => {
  const failed = (...reasons: string[]) => {
    const dropOffs = reasons.map((reason, index) => aStop(index + 1, { state: 'failed', reason }));
    return endOf('charge_failure', funded10('in_transit', { dropOffs, tip: 70 }), { state: 'failed' }).charged;
  };
  const free = ['damaged', 'lost', 'unsafe', 'test_expired'];
  for (const reason of FAIL_REASONS)
    expect([reason, failed(reason)['wallet'] ?? 0]).toEqual([reason, free.includes(reason) ? 0 : -1000]);
  expect(failed('test_expired')).toEqual({});
  expect(failed('customer_refused', 'lost', 'damaged')).toMatchObject({ wallet: -333, earnings: 266 });
});

test('[J56] the verb that opens a return charges its way and pays its courier', () => {
  const end = (reason: string) => {
    const dropOffs = [aStop(1, { state: 'delivered' }), aStop(2, { state: 'failed', reason })];
    return endOf('charge', funded10('in_transit', { dropOffs }), {}, { opensReturn: true });
  };
  const { charged, funds } = end('customer_refused');
  expect(charged).toEqual({ wallet: -1000, receivable: -600, revenue: 1600, delivery_cost: -1280, earnings: 1280 });
  expect(funds?.charges).toContainEqual({ type: 'return', amount: 600, tax: 0 });
  expect(end('damaged').charged).toMatchObject({ wallet: -500, revenue: 500 });
  // The goods of the second drop-off are thrown away, and those of the third come back through the courier's fault.
  const dropOffs = [
    aStop(1, { state: 'delivered' }),
    aStop(2, { state: 'failed', reason: 'customer_unavailable', undeliverableAction: 'discard' }),
    aStop(3, { state: 'failed', reason: 'damaged' }),
  ];
  const mixed = endOf('charge', funded10('in_transit', { dropOffs }), {}, { opensReturn: true });
  expect(mixed.charged).toMatchObject({ wallet: -667, revenue: 667 });
});

test('[J57] whatever ends a delivery, no money is made or lost, and nobody pays more than the terms say', () => {
  const seen = new Set<string>();
  const property = fc.property(ENDS, (end) => {
    const { before, after, books = '' } = end;
    const { delivery, commands } = bookVerb(end);
    const entry = entryIn(commands);
    const { funds } = delivery;
    if (funds === undefined) throw new Error('the delivery has money');
    const charged = chargedOf(funds.charges ?? []);
    const { waitPerMinFee, mostWaitMin } = TERMS;
    const owed = before.fee - funds.shares.platform;
    // Two shares of the fee, each rounded once.
    expect(charged).toBeLessThanOrEqual(Math.ceil(1.6 * owed) + 1 + (before.tip ?? 0) + waitPerMinFee * mostWaitMin);
    expect(charged).toBeGreaterThanOrEqual(0);
    const resolved = commands.filter((command) => 'holdKey' in command);
    expect(resolved.map((command) => 'holdKey' in command && command.holdKey)).toEqual(
      funds.hold > 0 ? [funds.holdKey] : [],
    );
    const delivered = after.dropOffs.filter(({ state }) => state === 'delivered').length;
    const least = Math.floor((before.fee * delivered) / after.dropOffs.length);
    if (entry === null) {
      expect([charged, least]).toEqual([0, 0]);
      return;
    }
    assertSound(entry);
    const of = (kind: string) => entry.postings.find(({ account }) => kindOfAccount(account) === kind)?.amount ?? 0;
    expect(of('revenue') + of('tax')).toBeGreaterThanOrEqual(least);
    expect(0 - of('wallet') - of('receivable')).toBe(charged);
    expect(0 - of('wallet')).toBe(Math.min(charged, funds.hold));
    expect(of('tax')).toBe((funds.charges ?? []).reduce((sum, { tax }) => sum + tax, 0));
    expect(of('revenue') >= 0 && of('tax') >= 0 && of('earnings') >= 0 && of('promotion') <= 0).toBe(true);
    expect(0 - of('delivery_cost')).toBeLessThanOrEqual(of('revenue') + 3);
    for (const { account } of entry.postings) seen.add(`${books} ${kindOfAccount(account)}`);
  });
  fc.assert(property, { numRuns: 2000 });
  expect([...seen]).toEqual(
    expect.arrayContaining(['charge receivable', 'charge_cancel promotion', 'charge_failure tax']),
  );
});

test('[J59] a delivery that the platform pays holds nothing, and its courier is paid all the same', () => {
  const born = funded10('in_transit', {}, 1000);
  expect(endOf('hold', born).commands).toEqual([]);
  const { commands, charged } = endOf('charge', born);
  expect(commands).toMatchObject([{ do: 'post' }]);
  expect(charged).toEqual({ promotion: -1000, revenue: 1000, delivery_cost: -800, earnings: 800 });
  const tipped = funded10('in_transit', { tip: 50 }, 1000);
  expect(endOf('charge_cancel', tipped, byVendor()).commands).toMatchObject([{ do: 'void' }, { do: 'post' }]);
});

test('[J60] a delivery without money books nothing, however it ends', () => {
  const free = heldBy(aCourier());
  for (const books of ['charge', 'charge_failure', 'charge_cancel'] as const)
    expect(endOf(books, free, byVendor()).commands).toEqual([]);
  expect(raiseTip(free, 500)).toBeNull();
});

test('[J61] a higher tip replaces the hold by a larger one', () => {
  const born = funded(aDelivery({ fee: 1000, tip: 100 }), 300);
  const raised = raiseTip(born, 250);
  expect(raised?.commands).toMatchObject([
    { do: 'void', holdKey: `delivery:${born.id}` },
    { do: 'hold', hold: { key: `delivery:${born.id}:tip:250`, amount: 950 } },
  ]);
  expect(raised?.funds).toMatchObject({ hold: 950, shares: { platform: 300 } });
  expect(raiseTip(born, 100)).toBeNull();
});

test('[J363] an end is a charge if its vendor pays, and otherwise a charge of the platform', () => {
  const seen = new Set<string>();
  const property = fc.property(ENDS, (end) => {
    const { delivery, commands } = bookVerb(end);
    const entry = entryIn(commands);
    if (entry === null) return;
    assertSound(entry);
    const paid = chargedOf(delivery.funds?.charges ?? []);
    seen.add(entry.kind);
    expect([entry.kind, entry.key]).toEqual([paid > 0 ? 'charge' : 'platform_charge', `charge:${delivery.id}`]);
    expect([entry.vendorId, entry.lines !== undefined]).toEqual([delivery.vendorId, paid > 0]);
  });
  fc.assert(property, { numRuns: 2000 });
  expect([...seen].toSorted()).toEqual(['charge', 'platform_charge']);
});
