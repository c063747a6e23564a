import { NoAnswer } from './problems.ts';
import { isRecord } from './records.ts';

/** One page of a list. */
export type Page<T> = {
  readonly object: 'list';
  readonly data: readonly T[];
  /** Whether there are further pages. */
  readonly has_more: boolean;
  /** The cursor of the next page; null on the last page. */
  readonly next_cursor: string | null;
};

/**
 * A list of the service. `for await` reads it page by page, as far as the loop goes. It throws `NoAnswer` if the list leads back
 * to a page that was read.
 */
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
    const cursors = new Set<string>();
    for (let cursor: string | null = null; ;) {
      const page: Page<T> = await this.#read(cursor);
      yield* page.data;
      if (!page.has_more || page.next_cursor === null) return;
      cursor = page.next_cursor;
      // A list that leads back to one of its pages would never end.
      if (cursors.has(cursor)) throw new NoAnswer('the next page of a list', { status: 200 });
      cursors.add(cursor);
    }
  }
}

/** Says whether an answer is a page of a list. */
export function isPage(answer: unknown): boolean {
  if (!isRecord(answer)) return false;
  const { data, has_more: hasMore, next_cursor: next } = answer;
  return Array.isArray(data) && (hasMore === false || (hasMore === true && typeof next === 'string'));
}
