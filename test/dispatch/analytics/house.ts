import { foldSome } from '../../../src/dispatch/analytics/fold-log.ts';
import { cardOf, type Courier } from '../../../src/domain/couriers/courier.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { newId, type VendorId } from '../../../src/domain/ids.ts';
import type { State } from '../../../src/domain/deliveries/states.ts';
import { scopeOf, type Subject } from '../../../src/domain/analytics/roll-up.ts';
import type { Sums } from '../../../src/domain/analytics/sums.ts';
import { makeChange } from '../../../src/dispatch/change-delivery.ts';
import { aRefund, charged } from '../../money/charges/charged.ts';
import { aStop, NOON, aMoment } from '../../builders.ts';
import { aChange, openHouse, SETTINGS, storeDelivery, type House } from '../../engines/mongo-house.ts';

const ENDS = {
  delivered: { event: 'delivered', time: 'deliveredAt' },
  canceled: { event: 'canceled', time: 'canceledAt' },
  failed: { event: 'delivery.failed', time: 'failedAt' },
} as const;
type EndState = keyof typeof ENDS & State;

export type Counting = Awaited<ReturnType<typeof openCounting>>;

/** The stores of roll-ups, with deliveries that end as the tests say. */
export async function openCounting(name: string) {
  const house: House = await openHouse(name);
  const ctx = { ...house, settings: SETTINGS };
  return {
    house,
    ctx,
    vendorId: newId('ven'),
    /** Counts everything that is due. */
    fold: async (): Promise<void> => {
      while (await foldSome(ctx));
    },
    /** The sums of a subject around noon. */
    sums: (subject: Subject, scope: string): Promise<Sums> =>
      house.rollUps.sum({ subject, scope, from: '2026-01-01', to: '2026-01-31' }),
  };
}

/** The delivery, still open and assigned to the courier. */
export function storeOpen({ house }: Counting, courier: Courier, vendorId: VendorId): Promise<Delivery> {
  const card = { courierId: courier.id, courier: cardOf(courier) };
  const times = { assignedAt: NOON, pickedUpAt: NOON + 60_000 };
  return storeDelivery(house, { ...card, vendorId, state: 'in_transit', times, funds: charged(450) });
}

/** Ends a delivery, as the use cases do. */
export async function end({ house }: Counting, before: Delivery, state: EndState = 'delivered'): Promise<Delivery> {
  const { event, time } = ENDS[state];
  const at = NOON + 600_000;
  const change = aChange(
    before,
    { state, times: { ...before.times, [time]: at }, dropOffs: [aStop(1, { state: 'delivered', doneAt: at })] },
    event,
  );
  const result = await house.commit(change);
  if (!result.ok) throw new Error(result.why);
  return change.after;
}

/** Refunds a part of what an ended delivery was charged. */
export async function refund({ house }: Counting, before: Delivery, amount: number): Promise<void> {
  const { funds } = before;
  if (funds === undefined) throw new Error('the delivery was charged');
  const made = aRefund(amount);
  const happening = {
    type: 'delivery.refunded',
    actor: { type: 'system', id: null },
    refund: { id: made.id, amount, tax: 0 },
    reason: made.reason,
  } as const;
  const change = makeChange(
    before,
    { ...before, funds: { ...funds, refunds: [made] } },
    [happening],
    aMoment(NOON + 700_000),
  );
  const result = await house.commit(change);
  if (!result.ok) throw new Error(result.why);
}

/** The scope of this owner in test mode. */
export function of(id: VendorId | null): string {
  return scopeOf(false, id);
}

export function count(sums: Sums, name: string): number {
  return sums[name] ?? 0;
}
