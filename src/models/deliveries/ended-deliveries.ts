import type { mongo } from 'mongoose';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { ENDED_STATES } from '../../domain/deliveries/lifecycle.ts';
import type { EventType } from '../../domain/deliveries/events.ts';
import type { DeliveryId, RefundId } from '../../domain/ids.ts';
import { END_EVENTS } from '../../domain/analytics/roll-up.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { deliveriesIn, findDeliveries } from './delivery-rows.ts';
import { EVENTS_LOG } from './events/event-rows.ts';

/** Ended deliveries in the order of their ids, those among them whose end is not counted yet, and such refunds. */
type Ended = {
  readonly deliveries: readonly Delivery[];
  readonly due: ReadonlySet<DeliveryId>;
  readonly dueRefunds: ReadonlySet<RefundId>;
};

type Due = {
  readonly delivery_id: DeliveryId;
  readonly type: EventType;
  readonly data?: { readonly refund?: { readonly id: RefundId } };
};

/** Reads ended deliveries with an id above `after`, at most `limit`, as the transaction sees them. */
export async function readEnded(
  mongo: Mongo,
  session: mongo.ClientSession,
  after: string,
  limit: number,
): Promise<Ended> {
  const asked = { _id: { $gt: after }, state: { $in: ENDED_STATES } };
  const found = findDeliveries(deliveriesIn(mongo), asked, { session });
  const deliveries = await found.sort({ _id: 1 }).limit(limit).hint({ _id: 1 }).toArray();
  const ofThem = { delivery_id: { $in: deliveries.map(({ id }) => id) }, counted: 'due' as const };
  const events = mongo.collection(EVENTS_LOG).find({ ...ofThem, 'data.to': { $in: ENDED_STATES } }, { session });
  const due = await events.project<Due>({ delivery_id: 1, type: 1, 'data.refund.id': 1 }).toArray();
  const ends = due.filter(({ type }) => END_EVENTS.includes(type));
  return {
    deliveries,
    due: new Set(ends.map(({ delivery_id: id }) => id)),
    dueRefunds: new Set(due.flatMap(({ data }) => data?.refund?.id ?? [])),
  };
}
