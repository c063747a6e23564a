import type { Request } from 'express';

/** One value of a table. Null is an empty cell. */
export type Cell = string | number | null;
/** A table with its headings as the first row. */
export type Table = readonly (readonly Cell[])[];

/**
 * A text that begins so is a formula to a spreadsheet, in some countries also with wide signs. A quote in front of it
 * makes it a text again.
 */
const FORMULA = /^(\s*[=+\-@＝＋－＠]|[\t\r\n])/;

/** Says whether the caller wants a table: by `format`, or else because they accept only CSV or prefer it. */
export function wantsCsv(req: Request): boolean {
  const { format } = req.query;
  return format === undefined ? req.accepts(['json', 'csv']) === 'csv' : format === 'csv';
}

/** Says whether the caller wants a PDF: also if they accept anything, because that is the usual form of the answer. */
export function wantsPdf(req: Request): boolean {
  return req.accepts(['pdf', 'json']) !== 'json';
}

/** The headers of a table, which is saved under the path of the route: `billing-transactions.csv`. */
export function csvHeaders(route: string): Readonly<Record<string, string>> {
  const name = route.slice(route.indexOf('/') + 1).replaceAll('/', '-');
  return {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}.csv"`,
  };
}

/** The texts of a table that is read in parts, so that a long one is never in memory as a whole. */
export async function* csvParts(parts: AsyncIterable<Table>): AsyncGenerator<string> {
  for await (const part of parts) yield toCsv(part);
}

/** The table as RFC 4180 has it. Every text is quoted, and no text is a formula. */
export function toCsv(table: Table): string {
  return table.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return `"${text.replaceAll('"', '""')}"`;
}
