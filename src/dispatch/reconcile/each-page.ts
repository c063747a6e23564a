import type { Context } from '../../ports/context.ts';
import type { ListedPage } from '../../ports/money/gateways.ts';
import type { Page, PageRequest } from '../../ports/pages.ts';
import type { Day } from './day.ts';

/** Pages of a gateway's list. A longer one repeats itself, or the span is too busy for one comparison. */
const MOST_PAGES = 5000;
const PAGE = 500;
/** Rows of a page that cannot be read and that the log names. */
const MOST_NAMED = 20;

/**
 * Reads a list of a gateway page by page. A list by page numbers shows an item again if another one comes before it meanwhile.
 * Rows that cannot be read are logged, and the others are read all the same.
 */
export async function* theirPages<T extends { readonly gatewayId: string }>(
  { log }: Pick<Context, 'log'>,
  { gateway, liveMode, from, subject }: Day,
  list: (after: string | null) => Promise<ListedPage<T>>,
): AsyncGenerator<readonly T[]> {
  const known = new Set<string>();
  let after: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page: ListedPage<T> = await list(after);
    const { unread = [] } = page;
    const about = { gateway: gateway.name, liveMode, from, subject, count: unread.length };
    if (unread.length > 0) log.error({ ...about, unread: unread.slice(0, MOST_NAMED) }, UNREAD);
    const fresh = page.items.filter(({ gatewayId }) => !known.has(gatewayId));
    if (fresh.length > 0) yield fresh;
    for (const { gatewayId } of page.items) known.add(gatewayId);
    if (page.next === null) return;
    after = page.next;
  }
  throw new Error(`the list of the gateway has more than ${MOST_PAGES} pages`);
}

const UNREAD =
  'a gateway lists rows that cannot be read, so they are not compared with the ledger. Look at them there, and report this';

/** Reads a list of ours page by page. */
export async function* ourPages<T>(list: (page: PageRequest) => Promise<Page<T>>): AsyncGenerator<readonly T[]> {
  let after: PageRequest['after'] = null;
  do {
    const page: Page<T> = await list({ limit: PAGE, after });
    yield page.items;
    after = page.next;
  } while (after !== null);
}
