import { computed, effect, signal } from '@preact/signals';
import type { Page } from '../../packages/client/src/pages.ts';
import type { DeliveryView } from '../shared/wire.ts';
import { get } from './api.ts';
import { view } from './board.ts';
import { rowsOf } from './filters.ts';
import { alarmed } from './known-alarms.ts';
import { deliveries } from './known-deliveries.ts';

/** Most deliveries that the service is asked for. A narrower search finds the others. */
const MOST_FOUND = '20';
/** The service searches for texts of this length. */
const [LEAST_CHARACTERS, MOST_CHARACTERS] = [2, 64];
/** Machine time without a key after which the service is asked. */
const PAUSE_MS = 300;

/** The open deliveries of the list. */
export const rows = computed(() => rowsOf(deliveries.value.values(), view.value, alarmed.value));

const found = signal<readonly DeliveryView[]>([]);

/** Deliveries that the service has found and the list does not have: ended ones, and open ones that are not loaded. */
export const others = computed(() => {
  const listed = new Set(rows.value.map(({ id }) => id));
  return found.value.filter(({ id }) => !listed.has(id)).map((one) => deliveries.value.get(one.id) ?? one);
});

/** Asks the service for what the dispatcher searches for, a moment after the last key. Returns a function that ends it. */
export function followSearch(): () => void {
  const searched = computed(() => view.value.search.trim());
  const stop = effect(() => {
    const text = searched.value;
    found.value = [];
    if (text.length < LEAST_CHARACTERS || text.length > MOST_CHARACTERS) return undefined;
    let isWanted = true;
    const ask = async (): Promise<void> => {
      const query = new URLSearchParams({ q: text, limit: MOST_FOUND });
      // Without an answer the list is worth reading all the same.
      const answer = await get<Page<DeliveryView>>(`/deliveries?${query.toString()}`).catch(() => null);
      if (isWanted && answer !== null) found.value = answer.data;
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  });
  return () => {
    stop();
    found.value = [];
  };
}
