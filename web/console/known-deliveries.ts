import { batch, signal } from '@preact/signals';
import { createMarks } from '../../packages/client/src/sockets/marks.ts';
import type { DeliveryView, LegView } from '../shared/wire.ts';
import { keepSecrets } from './keep-secrets.ts';
import { WORDS } from './words.ts';

type Deliveries = ReadonlyMap<string, DeliveryView>;

/** All deliveries that the console knows: open ones, and those that have just ended. */
export const deliveries = signal<Deliveries>(new Map());
/** Whether more deliveries may be open than the console has read. */
export const isPartial = signal(false);
/** The words of the list until it has been read: that it is being read, or why it could not be. Null from then on. */
export const unread = signal<string | null>(WORDS.detail.loading);
/**
 * The legs of the deliveries that were read alone. Events, snapshots and lists have none, so none of them removes the legs,
 * also if an event arrives before the answer to the read.
 */
export const legs = signal<ReadonlyMap<string, readonly LegView[]>>(new Map());

export const marks = createMarks();

/** Views that arrive within this machine time are shown together. */
const FLUSH_MS = 80;

let waiting = new Map<string, DeliveryView>();
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Takes a view. If a newer one is known, it gives only what events do not have: its legs, links and PINs. The list is updated
 * a moment later for many views together.
 */
export function takeDelivery({ legs: own, ...next }: DeliveryView): void {
  const known = waiting.get(next.id) ?? deliveries.value.get(next.id);
  marks.raise(next.id, next.sequence);
  if (own !== undefined) legs.value = new Map(legs.value).set(next.id, own);
  const isOvertaken = known !== undefined && isNewer(known, next);
  waiting.set(next.id, isOvertaken ? keepSecrets(next, known) : keepSecrets(known, next));
  timer ??= setTimeout(flush, FLUSH_MS);
}

/**
 * Removes deliveries that the server did not return, unless an event arrived since the request.
 * @param chosen the id of a delivery that stays
 * @param known the deliveries when the request was sent
 */
export function keepOnly(returned: ReadonlySet<string>, chosen: string | null, known: Deliveries): void {
  flush();
  const kept = [...deliveries.value].filter(([id, delivery]) => {
    const before = known.get(id);
    return returned.has(id) || id === chosen || before === undefined || isNewer(delivery, before);
  });
  batch(() => {
    deliveries.value = new Map(kept);
    legs.value = new Map([...legs.value].filter(([id]) => deliveries.value.has(id)));
  });
}

/** Forgets all deliveries after a logout. */
export function forgetDeliveries(): void {
  waiting.clear();
  batch(() => {
    deliveries.value = new Map();
    isPartial.value = false;
    unread.value = WORDS.detail.loading;
    legs.value = new Map();
  });
}

function flush(): void {
  clearTimeout(timer);
  timer = undefined;
  if (waiting.size === 0) return;
  const next = new Map(deliveries.value);
  for (const [id, delivery] of waiting) next.set(id, delivery);
  waiting = new Map();
  deliveries.value = next;
}

function isNewer(known: DeliveryView, next: DeliveryView): boolean {
  return known.sequence > next.sequence || known.version > next.version;
}
