import { z } from 'zod';
import type { Page, PageMark, PageRequest } from '../../ports/pages.ts';

const MOST_LISTED = 100;
const Query = z
  .object({
    from: z.coerce.number().int(),
    to: z.coerce.number().int(),
    after: z
      .string()
      .regex(/^\d+~.+$/)
      .optional(),
  })
  .transform(({ from, to, after }) => ({ span: { from, to }, page: { limit: MOST_LISTED, after: markOf(after) } }));

type SpanRequest = { readonly span: { readonly from: number; readonly to: number }; readonly page: PageRequest };

/** Reads which page of a list the query asks for; null if it is not sound. */
export function readSpan(query: unknown): SpanRequest | null {
  return Query.safeParse(query).data ?? null;
}

/** The text that leads to the page after this one; null at the end. */
export function writeNext({ next }: Page<unknown>): string | null {
  return next === null ? null : `${next.at}~${next.id}`;
}

function markOf(after: string | undefined): PageMark | null {
  if (after === undefined) return null;
  const [at = '', id = ''] = after.split('~');
  return { at: Number(at), id };
}
