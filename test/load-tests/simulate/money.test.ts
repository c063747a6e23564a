import { expect, test } from 'vitest';
import { judgeMoney, type TrueMoney } from '../../../load-tests/simulate/figures/money.ts';
import type { TrueDelivery, TrueEvent } from '../../../load-tests/simulate/figures/truth.ts';

const MINUTE_MS = 60_000;
const READY_AT = 20 * MINUTE_MS;
const RULES = { waitFreeMs: 10 * MINUTE_MS, waitPerMinFee: 20, mostWaitMin: 30 };

/** The history of a delivery, as types with the minutes of their events. All are of one courier. */
function deliveryOf(status: string, ...history: readonly (readonly [string, number])[]): TrueDelivery {
  const events = history.map(([type, minute], at): TrueEvent => {
    const courierId = type === 'courier.assigned' ? 'cou_1' : null;
    return { id: `${at}`, type, sequence: at + 1, createdAt: minute * MINUTE_MS, courierId };
  });
  const at = { x: 0, y: 0 };
  const order = { id: 'o1', at, placedMin: 0, readyMin: 20, restaurant: { id: 'r1', at } };
  return { deliveryId: 'del_1', order, status, events };
}

/** The courier comes before the goods are ready, and waits 12.5 min for them: three minutes are charged. */
const DELIVERED = deliveryOf(
  'delivered',
  ['delivery.created', 0],
  ['courier.assigned', 5],
  ['courier.arrived_pickup', 15],
  ['picked_up', 32.5],
  ['delivered', 40],
);

function moneyWith(over: Partial<TrueMoney> = {}): TrueMoney {
  const postings = [
    { kind: 'wallet', owner: 'ven_1', amount: -650 },
    { kind: 'receivable', owner: 'ven_1', amount: -60 },
    { kind: 'promotion', owner: '', amount: -50 },
    { kind: 'revenue', owner: '', amount: 560 },
    { kind: 'delivery_cost', owner: '', amount: -448 },
    { kind: 'earnings', owner: 'cou_1', amount: 648 },
  ];
  const rates = { taxRateBp: 0, courierShareBp: 8000 };
  return { fee: 500, tip: 200, platform: 50, ...rates, charged: 710, hold: 'captured', postings, ...over };
}

function faultsOf(delivery: TrueDelivery, money: TrueMoney | null, faults: readonly string[] = []): readonly string[] {
  const known = new Map(money === null ? [] : [[delivery.deliveryId, money]]);
  const check = { entries: 1, faults };
  return judgeMoney({ truth: [delivery], money: known, check, rules: RULES, readyAt: () => READY_AT }).faults;
}

test('[J164] a delivery costs its fee, its waiting and its tip, and its courier earns their share and the tip', () => {
  const material = { truth: [DELIVERED], money: new Map([['del_1', moneyWith()]]), rules: RULES };
  const check = { entries: 7, faults: [] };
  expect(judgeMoney({ ...material, check, readyAt: () => READY_AT })).toEqual({
    charged: 1,
    paid: 710,
    earned: 648,
    entries: 7,
    faults: [],
  });
});

test('[J164] each amount that does not agree with the history is named', () => {
  const { postings } = moneyWith();
  const changed = (kind: string, change: object): Partial<TrueMoney> => ({
    postings: postings.map((posting) => (posting.kind === kind ? { ...posting, ...change } : posting)),
  });
  const bad: readonly (readonly [TrueDelivery, TrueMoney | null, RegExp])[] = [
    [DELIVERED, null, /^del_1 has no money$/],
    [DELIVERED, moneyWith({ hold: 'open' }), /^del_1 has ended and its money is still held$/],
    [DELIVERED, moneyWith({ charged: 700 }), /says that 700 was charged, but the vendor paid 710$/],
    [DELIVERED, moneyWith({ ...changed('wallet', { amount: -660 }), charged: 720 }), /cost 720, not 710$/],
    [DELIVERED, moneyWith(changed('earnings', { amount: 600 })), /paid its courier 600, not 648$/],
    [DELIVERED, moneyWith(changed('earnings', { owner: 'cou_2' })), /another courier/],
    [deliveryOf('canceled', ['delivery.created', 0]), moneyWith(), /had no courier and was charged$/],
  ];
  for (const [delivery, money, told] of bad)
    expect(faultsOf(delivery, money)).toContainEqual(expect.stringMatching(told));
  expect(faultsOf(DELIVERED, moneyWith(), ['a hold is wrong'])).toEqual(['a hold is wrong']);
});

test('[J164] an order that found no courier costs nothing, and an open one may still be held', () => {
  const none = moneyWith({ charged: 0, hold: 'voided', postings: [] });
  expect(faultsOf(deliveryOf('canceled', ['delivery.created', 0]), none)).toEqual([]);
  const open = moneyWith({ charged: null, hold: 'open', postings: [] });
  expect(faultsOf(deliveryOf('searching', ['delivery.created', 0]), open)).toEqual([]);
});
