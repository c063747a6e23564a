import { batch, computed, signal } from '@preact/signals';
import type { AlarmView } from '../../src/realtime/protocol.ts';
import { createMarks } from '../shared/sequence.ts';
import type { DeliveryView, WireEvent } from '../shared/wire.ts';
import { keepLinks } from './links.ts';
import { isOpen, readView, writeView, type View } from './filters.ts';

/** All deliveries the console knows: the open ones and those that ended a moment ago. */
export const deliveries = signal<ReadonlyMap<string, DeliveryView>>(new Map());
export const alarms = signal<ReadonlyMap<string, AlarmView>>(new Map());
/** Events of the chosen delivery, oldest first; null while they are loaded. */
export const history = signal<readonly WireEvent[] | null>(null);
export const view = signal<View>(readView(location.search));
/** The console is looking for a courier for the chosen delivery. */
export const isAssigning = signal(false);
/** The courier that was clicked on the map. */
export const pickedCourier = signal<string | null>(null);
/** Something worth saying once, to eyes and to screen readers. */
export const notice = signal<string | null>(null);

export const marks = createMarks();

export const chosen = computed(() => deliveries.value.get(view.value.chosen ?? '') ?? null);
export const alarmed = computed(
  () => new Set([...alarms.value.values()].flatMap(({ delivery_id: id }) => (id === undefined ? [] : [id as string]))),
);

/** Views that came within this time are shown in one go; machine time. */
const FLUSH_MS = 80;

let waiting = new Map<string, DeliveryView>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Takes a view, unless a newer one is known. The list follows a moment later, many views at once. */
export function takeDelivery(next: DeliveryView): void {
  const known = waiting.get(next.id) ?? deliveries.value.get(next.id);
  marks.raise(next.id, next.sequence);
  if (known !== undefined && isNewer(known, next)) return;
  waiting.set(next.id, keepLinks(known, next));
  timer ??= setTimeout(flush, FLUSH_MS);
}

/** Takes out what the server no longer counts as open, unless it was heard of since it was asked. */
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

/** Changes what is looked at, and the address with it. */
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

/** Forgets everything of a session that was ended on purpose. */
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
