import type { PageMark } from '../../../src/ports/pages.ts';

/** A call for each method of a store. The compiler demands all of them. */
export type Calls<Store> = {
  [Name in keyof Store as Store[Name] extends (...given: never[]) => unknown ? Name : never]-?: () => unknown;
};

/** Reads three pages. */
export async function turnPages(
  read: (after: PageMark | null) => Promise<{ readonly next: PageMark | null }>,
): Promise<void> {
  let after: PageMark | null = null;
  for (let page = 0; page < 3; page += 1) {
    const { next } = await read(after);
    if (next === null) return;
    after = next;
  }
}
