import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { bookPayout } from '../../../src/money/payouts/book-payout.ts';
import { transferringIn, transfersOf } from '../../../src/money/payouts/find-gateway.ts';
import {
  lookedAt,
  mayMove,
  moveOutgoing,
  OUTGOING_STATES,
  putOff,
  type Booking,
  type OutgoingState,
  type OutgoingVerb,
} from '../../../src/money/payouts/outgoing.ts';
import { batchIdOf, type Payout } from '../../../src/money/payouts/payout.ts';
import type { Gateway, GatewayTransfers } from '../../../src/ports/money/gateways.ts';
import { NOON } from '../../builders.ts';
import { aPayout } from './a-payout.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The pauses after each look at the payout; null once nobody looks again. */
function pausesOf(payout: Payout, looks: number): (number | null)[] {
  const pauses: (number | null)[] = [];
  let looked = payout;
  for (let look = 0; look < looks; look += 1) {
    pauses.push(looked.dueAt === null ? null : looked.dueAt - NOON);
    looked = lookedAt(looked, NOON);
  }
  return pauses;
}

const moved = (from: Partial<Payout>, verb: OutgoingVerb) => moveOutgoing(aPayout(from), verb, NOON)?.next;

test('[J253] an open transfer is looked at after pauses that grow to an hour, and a paid one six times', () => {
  const open = [5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS];
  const sent = moved({}, 'send') ?? aPayout();
  expect(pausesOf(sent, 8)).toEqual([...open, HOUR_MS, HOUR_MS]);
  const asked = moved({ state: 'processing' }, 'ask') ?? aPayout();
  expect(pausesOf(asked, 8)).toEqual([...open, HOUR_MS, HOUR_MS]);
  const paid = moved({ state: 'processing' }, 'pay') ?? aPayout();
  const days = [1, 3, 10, 31].map((count) => count * 24 * HOUR_MS);
  expect(pausesOf(paid, 7)).toEqual([MINUTE_MS, HOUR_MS, ...days, null]);
});

test('[J253] a payout that may be sent is sent at once. One that could not be sent waits like an open one', () => {
  expect(moved({ state: 'awaiting_approval' }, 'approve')?.dueAt).toBe(NOON);
  expect(pausesOf(aPayout({ dueAt: NOON }), 3)).toEqual([0, 15 * SECOND_MS, MINUTE_MS]);
  const unapproved = lookedAt(aPayout({ state: 'awaiting_approval' }), NOON);
  expect(unapproved).toMatchObject({ dueAt: NOON + 15 * SECOND_MS, looks: 1, version: 2 });
});

test('[J253] a look that brings nothing is not counted, and one that brings something forgets the failures', () => {
  const paid = aPayout({ state: 'paid', looks: 1, dueAt: NOON });
  const failed = putOff(putOff(paid, NOON + 1), NOON + 2);
  expect(failed).toEqual({ ...paid, failures: 2, dueAt: NOON + 2, version: paid.version + 2 });
  const looked = lookedAt(failed, NOON);
  expect(looked).toMatchObject({ looks: 2, failures: 0, dueAt: NOON + 24 * HOUR_MS });
  const back = moveOutgoing(failed, 'take_back', NOON)?.next;
  expect(back).toMatchObject({ state: 'reversed', failures: 0 });
});

test('[J253] nobody looks at a payout that a person has ended', () => {
  const waiting = aPayout({ state: 'needs_action' });
  const resolved = moveOutgoing(waiting, 'pay', NOON, { resolvedBy: newId('stf') })?.next;
  expect(resolved).toMatchObject({ state: 'paid', dueAt: null });
});

test('[J253] nobody looks at a payout that has ended', () => {
  const ends = [
    moved({}, 'fail'),
    moved({ state: 'processing' }, 'reverse'),
    moved({ state: 'awaiting_approval' }, 'lapse'),
    moved({ state: 'paid' }, 'take_back'),
  ];
  expect(ends.map((payout) => [payout?.state, payout?.dueAt])).toEqual([
    ['failed', null],
    ['reversed', null],
    ['canceled', null],
    ['reversed', null],
  ]);
});

test('[J144] each verb leads from exactly the states of its row, and counts the looks anew', () => {
  const rows: Readonly<Record<OutgoingVerb, readonly OutgoingState[]>> = {
    approve: ['awaiting_approval'],
    lapse: ['awaiting_approval'],
    send: ['pending'],
    put_back: ['processing'],
    ask: ['pending', 'processing'],
    pay: ['processing', 'needs_action'],
    fail: ['awaiting_approval', 'pending', 'processing', 'needs_action'],
    reverse: ['processing', 'needs_action'],
    take_back: ['paid'],
  };
  for (const [verb, from] of Object.entries(rows) as [OutgoingVerb, readonly OutgoingState[]][])
    expect([verb, OUTGOING_STATES.filter((state) => mayMove({ state }, verb))]).toEqual([verb, from]);
  const looked = aPayout({ state: 'processing', looks: 4, version: 7 });
  const moved = moveOutgoing(looked, 'fail', NOON + 1, { reason: 'account_closed' });
  expect(moved?.next).toMatchObject({ reason: 'account_closed', looks: 0, version: 8, updatedAt: NOON + 1 });
});

test('[J145] a batch is named by its mode, its currency and its date', () => {
  expect(batchIdOf(true, 'EUR', '2026-01-05')).toBe('live.EUR.2026-01-05');
  expect(batchIdOf(false, 'NGN', '2026-01-05')).toBe('test.NGN.2026-01-05');
});

test('[J144] each step of a payout is one fact, and both ways back are the same', () => {
  const payout = aPayout();
  const keyOf = (booking: Booking) => {
    const command = bookPayout(payout, booking);
    return command.do === 'post' ? [command.entry.key, command.entry.kind, command.entry.about] : [];
  };
  expect(keyOf('reserve')).toEqual([`payout:${payout.id}`, 'payout', payout.id]);
  expect(keyOf('pay_out')).toEqual([`payout_paid:${payout.id}`, 'payout_paid', payout.id]);
  const back = [`payout_return:${payout.id}`, 'payout_return', payout.id];
  expect([keyOf('give_back'), keyOf('take_back')]).toEqual([back, back]);
});

const notCalled = () => Promise.reject(new Error('not called'));

function transfersIn(...currencies: string[]): GatewayTransfers {
  return { pays: (currency) => currencies.includes(currency), prepare: notCalled, find: notCalled, list: notCalled };
}

function aGateway(name: Gateway['name'], modes: Gateway['modes'], more: Partial<Gateway>): Gateway {
  return {
    name,
    modes,
    takes: () => true,
    open: notCalled,
    verify: notCalled,
    readCallback: () => ({ is: 'forged' }),
    refunds: { prepare: notCalled, find: notCalled },
    ...more,
  };
}

test('[J314] the first gateway that pays the currency carries out a batch', () => {
  const first = aGateway('paystack', ['test'], { transfers: transfersIn('NGN', 'GHS') });
  const second = aGateway('flutterwave', ['test'], { transfers: transfersIn('NGN', 'KES') });
  const of = (currency: string) => transferringIn({ gateways: [first, second] }, { liveMode: false, currency });
  expect([of('NGN'), of('GHS'), of('KES')]).toEqual([first, first, second]);
});

test('[J150] only a gateway that makes transfers in the mode and the currency carries out payouts, and later looks go to it', () => {
  const transfers = transfersIn('EUR');
  const [cards, sandbox] = [aGateway('stripe', ['live', 'test'], {}), aGateway('sandbox', ['test'], { transfers })];
  const ctx = { gateways: [cards, sandbox] };
  const of = (liveMode: boolean, currency: string) => transferringIn(ctx, { liveMode, currency });
  expect([of(false, 'EUR'), of(false, 'NGN'), of(true, 'EUR')]).toEqual([sandbox, null, null]);
  const inTest = { gateway: 'sandbox', liveMode: false } as const;
  expect(transfersOf(ctx, inTest)).toBe(transfers);
  expect(() => transfersOf(ctx, { ...inTest, gateway: 'stripe' })).toThrow('stripe is not configured');
  expect(() => transfersOf({ gateways: [] }, inTest)).toThrow('sandbox is not configured');
  // A key of the other mode would not find the transfer, and would send it again.
  expect(() => transfersOf(ctx, { ...inTest, liveMode: true })).toThrow('sandbox is not configured');
});
