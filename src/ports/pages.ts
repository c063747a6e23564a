/** Pages of lists. */

/** A page of a list, newest first unless stated otherwise. `next` continues after the last item; null at the end. */
export type Page<T> = { readonly items: readonly T[]; readonly next: PageMark | null };

export type PageMark = { readonly at: number; readonly id: string };

export type PageRequest = { readonly limit: number; readonly after: PageMark | null };
