const PAGES_AT_ONCE = 3;

/**
 * Reads page by page, a few at a time, so that other work gets this thread in between. If a page fails, the read fails once
 * the pages beside it have ended. So none of them comes after a later read.
 */
export async function inPages<Id, Row>(
  ids: readonly Id[],
  size: number,
  read: (page: readonly Id[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let from = 0; from < ids.length; from += size * PAGES_AT_ONCE) {
    const starts = Array.from({ length: PAGES_AT_ONCE }, (_, page) => from + page * size);
    const pages = starts.filter((start) => start < ids.length).map((start) => read(ids.slice(start, start + size)));
    await Promise.allSettled(pages);
    for (const page of await Promise.all(pages)) rows.push(...page);
  }
  return rows;
}
