import { batch, computed, signal } from '@preact/signals';
import type { DeliveryView, WireEvent } from '../shared/wire.ts';
import { isOpen, readView, writeView, type View } from './filters.ts';
import { forgetAlarms } from './known-alarms.ts';
import { deliveries, forgetDeliveries, legs } from './known-deliveries.ts';

/** Events of the chosen delivery, oldest first; null while they are loaded. */
export const history = signal<readonly WireEvent[] | null>(null);
export const view = signal<View>(readView(location.search));
/** Whether the dispatcher is choosing a courier for the chosen delivery. */
export const isAssigning = signal(false);
/** The courier that was clicked on the map. */
export const pickedCourier = signal<string | null>(null);
/** The notice that is shown, and read by screen readers. Each one is an object of its own, also with the same text. */
export const notice = signal<{ readonly text: string } | null>(null);

export const chosen = computed(() => deliveries.value.get(view.value.chosen ?? '') ?? null);
export const chosenLegs = computed(() => legs.value.get(view.value.chosen ?? '') ?? []);

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
  window.history.replaceState(window.history.state, '', `${location.pathname}${writeView(next)}`);
}

/** Clears all data after a logout. */
export function clearBoard(): void {
  batch(() => {
    forgetDeliveries();
    forgetAlarms();
    history.value = null;
    notice.value = null;
    isAssigning.value = false;
    pickedCourier.value = null;
  });
}

/** Shows a notice for a few seconds. */
export function tell(text: string): void {
  notice.value = { text };
}

export function openDeliveries(): DeliveryView[] {
  return [...deliveries.value.values()].filter(isOpen);
}
