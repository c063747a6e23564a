import type { ListedPage } from '../../ports/money/gateways.ts';
import type { Page, PageRequest } from '../../ports/pages.ts';

/** Pages of a gateway's list. A longer one repeats itself, or the span is too busy for one comparison. */
const MOST_PAGES = 5000;
const PAGE = 500;

/** Reads a list of a gateway page by page. A list by page numbers shows an item again if another one comes before it meanwhile. */
export async function* theirPages<T extends { readonly gatewayId: string }>(
  list: (after: string | null) => Promise<ListedPage<T>>,
): AsyncGenerator<readonly T[]> {
  const known = new Set<string>();
  let after: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page: ListedPage<T> = await list(after);
    yield page.items.filter(({ gatewayId }) => !known.has(gatewayId));
    for (const { gatewayId } of page.items) known.add(gatewayId);
    if (page.next === null) return;
    after = page.next;
  }
  throw new Error(`the list of the gateway has more than ${MOST_PAGES} pages`);
}

/** Reads a list of ours page by page. */
export async function* ourPages<T>(list: (page: PageRequest) => Promise<Page<T>>): AsyncGenerator<readonly T[]> {
  let after: PageRequest['after'] = null;
  do {
    const page: Page<T> = await list({ limit: PAGE, after });
    yield page.items;
    after = page.next;
  } while (after !== null);
}
