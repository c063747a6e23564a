import { batch, computed, signal } from '@preact/signals';
import type { AlarmView } from '../../src/realtime/protocol.ts';
import { createMarks } from '../../packages/client/src/sockets/marks.ts';
import type { DeliveryView, WireEvent } from '../shared/wire.ts';
import { keepSecrets } from './keep-secrets.ts';
import { isOpen, readView, writeView, type View } from './filters.ts';

/** All deliveries that the console knows: open ones, and those that have just ended. */
export const deliveries = signal<ReadonlyMap<string, DeliveryView>>(new Map());
export const alarms = signal<ReadonlyMap<string, AlarmView>>(new Map());
/** Events of the chosen delivery, oldest first; null while they are loaded. */
export const history = signal<readonly WireEvent[] | null>(null);
export const view = signal<View>(readView(location.search));
/** Whether the dispatcher is choosing a courier for the chosen delivery. */
export const isAssigning = signal(false);
/** The courier that was clicked on the map. */
export const pickedCourier = signal<string | null>(null);
/** A notice that is shown once and read by screen readers. */
export const notice = signal<string | null>(null);

export const marks = createMarks();

export const chosen = computed(() => deliveries.value.get(view.value.chosen ?? '') ?? null);
export const alarmed = computed(
  () => new Set([...alarms.value.values()].flatMap(({ delivery_id: id }) => (id === undefined ? [] : [id as string]))),
);

/** Views that arrive within this machine time are shown together. */
const FLUSH_MS = 80;

let waiting = new Map<string, DeliveryView>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Takes a view, unless a newer one is known. The list is updated a moment later for many views together. */
export function takeDelivery(next: DeliveryView): void {
  const known = waiting.get(next.id) ?? deliveries.value.get(next.id);
  marks.raise(next.id, next.sequence);
  if (known !== undefined && isNewer(known, next)) return;
  waiting.set(next.id, keepSecrets(known, next));
  timer ??= setTimeout(flush, FLUSH_MS);
}

/** Removes deliveries that are no longer open on the server, unless an event arrived since the request. */
export function keepOnly(openIds: ReadonlySet<string>, known: ReadonlyMap<string, DeliveryView>): void {
  flush();
  const kept = [...deliveries.value].filter(
    ([id, delivery]) => openIds.has(id) || id === view.value.chosen || known.get(id) !== delivery,
  );
  deliveries.value = new Map(kept);
}

export function takeAlarm(alarm: AlarmView): void {
  const next = new Map(alarms.value);
  if (alarm.cleared === true) next.delete(alarm.id);
  else next.set(alarm.id, alarm);
  alarms.value = next;
}

/** Changes the view and the URL. */
export function look(change: Partial<View>): void {
  const next = { ...view.value, ...change };
  batch(() => {
    if (next.chosen !== view.value.chosen) {
      history.value = null;
      isAssigning.value = false;
      pickedCourier.value = null;
    }
    view.value = next;
  });
  window.history.replaceState(null, '', `${location.pathname}${writeView(next)}`);
}

/** Clears all data after a logout. */
export function clearBoard(): void {
  waiting.clear();
  batch(() => {
    deliveries.value = new Map();
    alarms.value = new Map();
    history.value = null;
    notice.value = null;
    isAssigning.value = false;
    pickedCourier.value = null;
  });
}

export function openDeliveries(): DeliveryView[] {
  return [...deliveries.value.values()].filter(isOpen);
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
