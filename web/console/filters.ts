import type { DeliveryView, State } from '../shared/wire.ts';

/** The states of open deliveries, in the order of their life. */
export const OPEN_STATES = ['scheduled', 'searching', 'assigned', 'picked_up', 'in_transit'] as const satisfies State[];
export type OpenState = (typeof OPEN_STATES)[number];

/** The work that the console shows: the open deliveries, or the documents that wait for a review. */
export type Desk = 'deliveries' | 'documents';

/** The view of the dispatcher. It is part of the URL, so that a reload or a colleague sees the same. */
export type View = {
  readonly desk: Desk;
  readonly states: readonly OpenState[];
  readonly search: string;
  /** The id of the chosen delivery. */
  readonly chosen: string | null;
  /** The id of the chosen document. */
  readonly document: string | null;
};

export function readView(query: string): View {
  const params = new URLSearchParams(query);
  const named = (params.get('status') ?? '').split(',');
  return {
    desk: params.get('desk') === 'documents' ? 'documents' : 'deliveries',
    states: OPEN_STATES.filter((state) => named.includes(state)),
    search: params.get('q') ?? '',
    chosen: params.get('delivery'),
    document: params.get('document'),
  };
}

/** The view as a query; empty if nothing is filtered or chosen. */
export function writeView({ desk, states, search, chosen, document }: View): string {
  const params = new URLSearchParams();
  if (desk !== 'deliveries') params.set('desk', desk);
  if (states.length > 0) params.set('status', states.join(','));
  if (search !== '') params.set('q', search);
  if (chosen !== null) params.set('delivery', chosen);
  if (document !== null) params.set('document', document);
  const query = params.toString();
  return query === '' ? '' : `?${query}`;
}

export function isOpen({ status }: Pick<DeliveryView, 'status'>): boolean {
  return (OPEN_STATES as readonly State[]).includes(status);
}

/** Says whether a delivery matches by id, order id or the last digits of a phone. */
export function matches(delivery: DeliveryView, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return true;
  if (delivery.id.includes(wanted) || delivery.external_id?.toLowerCase().includes(wanted)) return true;
  const digits = wanted.replaceAll(/[\s+-]/g, '');
  if (!/^\d{3,}$/.test(digits)) return false;
  return [delivery.pickup, ...delivery.drop_off].some(({ contact }) => contact?.phone.endsWith(digits));
}

/** The time since which the delivery waits in its current step, epoch ms of service time. */
export function waitingSince({ timestamps, created_at: createdAt }: DeliveryView): number {
  return Date.parse(timestamps['searching_at'] ?? createdAt);
}

/** The rows of the list: deliveries with an alarm first, then those that have waited longest. */
export function rowsOf(
  deliveries: Iterable<DeliveryView>,
  { states, search }: View,
  alarmed: ReadonlySet<string>,
): DeliveryView[] {
  return [...deliveries]
    .filter((delivery) => isOpen(delivery) && matches(delivery, search))
    .filter(({ status }) => states.length === 0 || (states as readonly State[]).includes(status))
    .map((delivery) => ({ delivery, isCalm: alarmed.has(delivery.id) ? 0 : 1, since: waitingSince(delivery) }))
    .toSorted((a, b) => a.isCalm - b.isCalm || a.since - b.since)
    .map(({ delivery }) => delivery);
}

/** The number of deliveries in each open state. */
export function countStates(deliveries: Iterable<DeliveryView>): Record<OpenState, number> {
  const counts: Record<OpenState, number> = { scheduled: 0, searching: 0, assigned: 0, picked_up: 0, in_transit: 0 };
  for (const delivery of deliveries) {
    if (isOpen(delivery)) counts[delivery.status as OpenState] += 1;
  }
  return counts;
}
