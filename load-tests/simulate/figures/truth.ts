// Reads what really happened, at the end and over REST: every delivery and its whole history.
import type { Order } from '../../day/day.ts';
import type { World } from '../people/world.ts';

/** The view of the delivery in an event: when a courier is expected at the next stops, service time in ms, and its way. */
export type Said = {
  readonly pickupAt: number | null;
  readonly dropOffAt: number | null;
  readonly distanceM: number;
  readonly source: string;
};

export type TrueEvent = {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  /** Service time in epoch ms. */
  readonly createdAt: number;
  readonly courierId: string | null;
  /** Absent if the event has no view of the delivery. */
  readonly said?: Said;
};

export type TrueDelivery = {
  readonly deliveryId: string;
  readonly order: Order;
  readonly status: string;
  readonly events: readonly TrueEvent[];
};

type HistoryRow = {
  id: string;
  type: string;
  sequence: number;
  created_at: string;
  data?: { courier?: { id?: string }; delivery?: DeliveryRow };
};
type DeliveryRow = {
  distance_m: number;
  distance_source?: string;
  eta: { pickup_at: string | null; drop_off_at: string | null };
};
type HistoryPage = { data: HistoryRow[]; has_more: boolean; next_cursor: string | null };

const AT_ONCE = 8;

/** Reads the current state of a delivery. */
export async function readStatus({ api, vendor }: World, deliveryId: string): Promise<string> {
  const { status } = await api.call<{ status: string }>('GET', `/deliveries/${deliveryId}/status`, {
    token: vendor.key,
  });
  return status;
}

/** Reads every delivery of the run. */
export async function readTruth(world: World): Promise<TrueDelivery[]> {
  const waiting = world.orders.all().values();
  const truth: TrueDelivery[] = [];
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (const { deliveryId, order } of waiting) {
      const events = await readHistory(world, deliveryId);
      truth.push({ deliveryId, order, status: await readStatus(world, deliveryId), events });
    }
  });
  await Promise.all(workers);
  return truth;
}

async function readHistory({ api, vendor }: World, deliveryId: string): Promise<TrueEvent[]> {
  const events: TrueEvent[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/deliveries/${deliveryId}/history?limit=100${after}`;
    const page: HistoryPage = await api.call<HistoryPage>('GET', path, { token: vendor.key });
    events.push(...page.data.map(trueEvent));
    cursor = page.has_more ? page.next_cursor : null;
  } while (cursor !== null);
  return events;
}

function trueEvent({ id, type, sequence, created_at: createdAt, data }: HistoryRow): TrueEvent {
  const event = { id, type, sequence, createdAt: Date.parse(createdAt), courierId: data?.courier?.id ?? null };
  return data?.delivery === undefined ? event : { ...event, said: saidOf(data.delivery) };
}

function saidOf({ eta, distance_m: distanceM, distance_source: source = 'estimate' }: DeliveryRow): Said {
  const timeOf = (text: string | null): number | null => (text === null ? null : Date.parse(text));
  return { pickupAt: timeOf(eta.pickup_at), dropOffAt: timeOf(eta.drop_off_at), distanceM, source };
}
