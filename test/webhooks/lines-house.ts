import type { DeliveryId, VendorId } from '../../src/domain/ids.ts';
import type { Attempt, Registration, WebhookStore } from '../../src/ports/webhooks.ts';
import { startSending } from '../../src/webhooks/send-attempts.ts';
import { aChange, storeDelivery } from '../engines/mongo-house.ts';
import { openWebhooks } from './house.ts';

export const LEASE_MS = 60_000;

/** The webhooks of a test file about the order of events, and what such tests do with them. */
export async function openLines(name: string) {
  const webhooks = await openWebhooks(name);
  const { house, state, needs, attempts, rules } = webhooks;
  /** A delivery with so many events. */
  const deliver = async (vendorId: VendorId, count: number): Promise<DeliveryId> => {
    let delivery = await storeDelivery(house, { vendorId });
    for (let made = 1; made < count; made += 1) {
      const change = aChange(delivery, {});
      const result = await house.commit(change);
      if (!result.ok) throw new Error(`the change was ${result.why}`);
      delivery = change.after;
    }
    return delivery.id;
  };
  const rowOf = async (deliveryId: DeliveryId, sequence: number) => {
    const row = await attempts.findOne({ eventKey: `${deliveryId}:${sequence}` });
    if (row === null) throw new Error(`event ${sequence} has an attempt`);
    return row;
  };
  const claim = (registration: Registration, limit = 10, ctx = needs()) =>
    ctx.webhooks.claimDue(registration.id, { now: state.now, leaseMs: LEASE_MS, limit });
  /** Records a success, or a failure with the time of the next try; null if there is none. */
  const end = ({ lease }: Attempt, failure?: { readonly nextAt: number | null }) => {
    const outcome = { at: state.now, status: 200, tookMs: 1, error: null, response: '' };
    if (failure === undefined) return needs().webhooks.record(lease, outcome, null);
    return needs().webhooks.record(lease, { ...outcome, status: 500, error: 'answered 500' }, failure.nextAt);
  };
  /** A sender whose poll is a call. `over` replaces parts of its store. */
  const startPolled = (over: Partial<WebhookStore> = {}) => {
    const ctx = needs();
    let poll = (): void => undefined;
    const everyTogether: typeof ctx.clock.real.everyTogether = (_ms, work) => {
      poll = work;
      return () => undefined;
    };
    const clock = { ...ctx.clock, real: { ...ctx.clock.real, everyTogether } };
    const sending = startSending({ ...ctx, clock, webhooks: { ...ctx.webhooks, ...over } }, rules);
    return { ...ctx, poll: () => poll(), stop: () => sending.stop() };
  };
  /** The numbers of the events of a delivery in the order of their tries. */
  const triesOf = (deliveryId: DeliveryId): number[] =>
    state.received.filter(({ event }) => event.delivery_id === deliveryId).map(({ event }) => event.sequence);
  return { ...webhooks, deliver, rowOf, claim, end, startPolled, triesOf };
}

/** The numbers of the claimed events. */
export function sequencesOf({ attempts }: { readonly attempts: readonly Attempt[] }): number[] {
  return attempts.map(({ event }) => event.sequence);
}
