import { z } from 'zod';
import { refuseField, type Refusal } from '../domain/refusals/refusals.ts';
import type { Signer } from '../ports/access.ts';
import type { Payer } from '../ports/money/billing.ts';
import type { Page, PageMark, PageRequest } from '../ports/pages.ts';
import { csvHeaders, csvParts, type Table } from './csv.ts';
import { Answer, type FileContent } from './endpoint.ts';
import type { HttpContext } from './http-context.ts';
import type { Route } from './policy.ts';
import { given } from './wire/given.ts';

const NOT_A_CURSOR = 'must be the `next_cursor` of a page of this list and account';

/** The query parameters of every list. */
export const pageQuery = {
  limit: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .pipe(z.number().min(1).max(100))
    .default(20)
    .meta({ type: 'integer', minimum: 1, maximum: 100, description: 'Items on a page' }),
  cursor: z
    .string()
    .max(512)
    .regex(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/, NOT_A_CURSOR)
    .exactOptional()
    .describe('`next_cursor` of the previous page'),
};

/** The filter of a list, without the members that its query does not name, and the page that it asks for. */
export function withPage<Filter extends object>(
  { limit, cursor }: { readonly limit: number; readonly cursor?: string },
  filter: { readonly [K in keyof Filter]: Filter[K] | undefined },
): { readonly filter: Filter; readonly page: { limit: number; cursor?: string } } {
  return { filter: given<Filter>(filter), page: { limit, ...given<{ cursor?: string }>({ cursor }) } };
}

/** The schema of a list of these items. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.strictObject({
    object: z.literal('list'),
    data: z.array(item),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  });
}

export type List<T> = { object: 'list'; data: T[]; has_more: boolean; next_cursor: string | null };

const Mark = z.strictObject({ at: z.number(), id: z.string() });

/** Reads the limit and the cursor of a request. It refuses a cursor that was not made for this list and account. */
export function pageRequest(signer: Signer, scope: string, asked: { limit: number; cursor?: string }): PageRequest {
  return { limit: asked.limit, after: asked.cursor === undefined ? null : readCursor(signer, scope, asked.cursor) };
}

/**
 * Creates the answer of a page, with a `Link` header to the next page.
 * @param url the path and query of this page
 */
export function listAnswer<T>(
  signer: Signer,
  scope: string,
  url: string,
  page: { data: T[]; next: PageMark | null },
): Answer<List<T>> {
  const cursor = page.next === null ? null : writeCursor(signer, scope, page.next);
  const body: List<T> = { object: 'list', data: page.data, has_more: cursor !== null, next_cursor: cursor };
  return new Answer(body, cursor === null ? {} : { headers: { Link: `<${nextUrl(url, cursor)}>; rel="next"` } });
}

/** Maps the items of a stored page. */
export function mapPage<S, T>(page: Page<S>, present: (item: S) => T): { data: T[]; next: PageMark | null } {
  return { data: page.items.map(present), next: page.next };
}

function writeCursor(signer: Signer, scope: string, { at, id }: PageMark): string {
  const mark = Buffer.from(JSON.stringify({ at, id })).toString('base64url');
  return `${mark}.${signer.sign(`${scope}|${mark}`)}`;
}

function readCursor(signer: Signer, scope: string, cursor: string): PageMark {
  const [mark = '', mac = ''] = cursor.split('.');
  if (!signer.verify(`${scope}|${mark}`, mac)) throw badCursor();
  const parsed = Mark.safeParse(JSON.parse(Buffer.from(mark, 'base64url').toString()));
  if (!parsed.success) throw badCursor();
  return parsed.data;
}

function badCursor(): Refusal {
  return refuseField('/cursor', 'invalid_cursor', NOT_A_CURSOR);
}

function nextUrl(url: string, cursor: string): string {
  // A query may contain further question marks.
  const [path = '', ...query] = url.split('?');
  const params = new URLSearchParams(query.join('?'));
  params.set('cursor', cursor);
  return `${path}?${params.toString()}`;
}

/** Rows of one read of a table. */
const READ_AT_ONCE = 500;

/** The list behind a table: its form, its items part by part, and the tenant to whom all belong; null for none. */
type Listed<T> = {
  readonly tenant: Payer | null;
  readonly parts: AsyncGenerator<readonly T[]>;
  readonly form: { readonly columns: readonly string[]; readonly rowsOf: (item: T) => Table };
};

/** Answers a whole list as a table, which is sent while it is read. */
export function tableAnswer<T>(
  ctx: Pick<HttpContext, 'tenants'>,
  route: Route,
  listed: Listed<T>,
): Answer<FileContent> {
  return new Answer<FileContent>(csvParts(readTable(ctx, listed)), { headers: csvHeaders(route) });
}

/** The items of a whole list, page by page. */
export async function* pagesOf<T>(read: (page: PageRequest) => Promise<Page<T>>): AsyncGenerator<readonly T[]> {
  let after: PageMark | null = null;
  do {
    const page: Page<T> = await read({ limit: READ_AT_ONCE, after });
    yield page.items;
    after = page.next;
  } while (after !== null);
}

/** Reads the list part by part. The request has ended by then, so each read is confined to the tenant by itself. */
async function* readTable<T>(
  { tenants }: Pick<HttpContext, 'tenants'>,
  { tenant, parts, form: { columns, rowsOf } }: Listed<T>,
): AsyncGenerator<Table> {
  const readRows = async (): Promise<Table | null> => {
    const part = await (tenant === null ? parts.next() : tenants.within(tenant, () => parts.next()));
    return part.done === true ? null : part.value.flatMap(rowsOf);
  };
  try {
    yield [columns, ...((await readRows()) ?? [])];
    for (let rows = await readRows(); rows !== null; rows = await readRows()) yield rows;
  } finally {
    // The reader may have gone away before the end.
    await parts.return(undefined);
  }
}
