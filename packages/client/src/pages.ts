/** One page of a list. */
export type Page<T> = {
  readonly object: 'list';
  readonly data: readonly T[];
  /** Whether there are further pages. */
  readonly has_more: boolean;
  /** The cursor of the next page; null on the last page. */
  readonly next_cursor: string | null;
};

/** A list of the service. `for await` reads it page by page, as far as the loop goes. */
export class Pages<T> implements AsyncIterable<T> {
  readonly #read: (cursor: string | null) => Promise<Page<T>>;

  /** @param read reads the page at this cursor; null for the first page */
  constructor(read: (cursor: string | null) => Promise<Page<T>>) {
    this.#read = read;
  }

  /** Reads the first page only. */
  firstPage(): Promise<Page<T>> {
    return this.#read(null);
  }

  /** Reads at most this many items into an array. */
  async take(most: number): Promise<T[]> {
    const items: T[] = [];
    if (most <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= most) break;
    }
    return items;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (let cursor: string | null = null; ;) {
      const page: Page<T> = await this.#read(cursor);
      yield* page.data;
      // A page that names itself as the next one would never end.
      if (!page.has_more || page.next_cursor === null || page.next_cursor === cursor) return;
      cursor = page.next_cursor;
    }
  }
}
