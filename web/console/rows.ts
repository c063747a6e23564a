import { computed, effect, signal } from '@preact/signals';
import { Pages } from '../../packages/client/src/pages.ts';
import type { DeliveryView } from '../shared/wire.ts';
import { getPage } from './api.ts';
import { view } from './board.ts';
import { isOpen, rowsOf } from './filters.ts';
import { alarmed } from './known-alarms.ts';
import { deliveries } from './known-deliveries.ts';

/** Most rows of the list. The search finds the others. */
export const MOST_ROWS = 300;
/** Most deliveries that are shown of those that the service finds. A narrower search finds the others. */
const MOST_FOUND = 20;
/** Most pages that are read for them. A page may have few items, because the service checks a bounded number of rows for it. */
const MOST_PAGES = 5;
/** The service searches for texts of this length. */
const [LEAST_CHARACTERS, MOST_CHARACTERS] = [2, 64];
/** Machine time without a key after which the service is asked. */
const PAUSE_MS = 300;

const matching = computed(() => rowsOf(deliveries.value.values(), view.value, alarmed.value));

/** The open deliveries of the list. */
export const rows = computed(() => matching.value.slice(0, MOST_ROWS));
/** Whether more open deliveries match than the list shows. */
export const isLong = computed(() => matching.value.length > MOST_ROWS);

const searched = computed(() => view.value.search.trim());
const found = signal<readonly DeliveryView[]>([]);
/** The text that the service has answered about. */
const answered = signal('');
/** Raised to ask again. */
const turn = signal(0);
/** Whether the service may have found more than is shown. */
export const isCut = signal(false);

/** Whether the service is still asked about the present text. */
export const isSearching = computed(() => isSearchable(searched.value) && answered.value !== searched.value);

/** Deliveries that the service has found and the list does not show: ended ones, and open ones beyond its end. */
export const others = computed(() => {
  const { states } = view.value;
  const listed = new Set(rows.value.map(({ id }) => id));
  const isWanted = (one: DeliveryView): boolean =>
    !listed.has(one.id) && (states.length === 0 || !isOpen(one) || states.some((state) => state === one.status));
  return found.value.filter(isWanted);
});

/** Asks the service again about the present text, because it may have changed or an answer was lost. */
export function searchAgain(): void {
  turn.value += 1;
}

/** Asks the service for what the dispatcher searches for, a moment after the last key. Returns a function that ends it. */
export function followSearch(): () => void {
  const stopAsking = effect(() => {
    const text = searched.value;
    const isAgain = turn.value > 0 && answered.peek() === text;
    if (!isAgain) show('', [], false);
    if (!isSearchable(text)) return undefined;
    let isWanted = true;
    const ask = async (): Promise<void> => {
      let pages = 0;
      let hasMore = false;
      const results = new Pages<DeliveryView>(async (cursor) => {
        const page = await getPage<DeliveryView>(pathOf(text, cursor));
        hasMore = page.has_more;
        pages += 1;
        return isWanted && pages < MOST_PAGES ? page : { ...page, has_more: false, next_cursor: null };
      });
      const items = await results.take(MOST_FOUND + 1);
      if (isWanted) show(text, items.slice(0, MOST_FOUND), hasMore || items.length > MOST_FOUND);
    };
    // Without an answer the list is worth reading all the same, and the next turn asks again.
    const timer = setTimeout(() => void ask().catch(() => undefined), PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  });
  // The board forgets deliveries that have ended. Here their newest view stays.
  const stopKeeping = effect(() => {
    const known = deliveries.value;
    const shown = found.peek();
    if (shown.some(({ id }) => known.has(id))) found.value = shown.map((one) => known.get(one.id) ?? one);
  });
  return () => {
    stopAsking();
    stopKeeping();
    show('', [], false);
  };
}

function show(text: string, items: readonly DeliveryView[], hasMore: boolean): void {
  answered.value = text;
  found.value = items;
  isCut.value = hasMore;
}

function isSearchable(text: string): boolean {
  return text.length >= LEAST_CHARACTERS && text.length <= MOST_CHARACTERS;
}

function pathOf(text: string, cursor: string | null): string {
  const query = { q: text, limit: String(MOST_FOUND), ...(cursor === null ? {} : { cursor }) };
  return `/deliveries?${new URLSearchParams(query).toString()}`;
}
