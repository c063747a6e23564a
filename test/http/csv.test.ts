import { fc, test as check } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { csvHeaders, toCsv, type Cell } from '../../src/http/csv.ts';
import { tableAnswer } from '../../src/http/lists.ts';

/** Reads a table as RFC 4180 defines it. A cell without quotes is a number or empty. */
function read(text: string): Cell[][] {
  const rows: Cell[][] = [[]];
  for (const [, quoted, plain = '', end = ''] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    const value = quoted === undefined ? (plain === '' ? null : Number(plain)) : quoted.replaceAll('""', '"');
    rows.at(-1)?.push(value);
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

const hostile = fc
  .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', ' =', '＝', '"', ',', ''), fc.string({ unit: 'binary' }))
  .map(([first, rest]) => `${first}${rest}`);
const cell: fc.Arbitrary<Cell> = fc.oneof(hostile, fc.integer(), fc.constant(null));
const table = fc
  .integer({ min: 1, max: 4 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }));

check.prop([table])('[N24] a table reads back as RFC 4180 has it, and no text of it is a formula', (rows) => {
  const found = read(toCsv(rows));
  expect(found.map((row) => row.length)).toEqual(rows.map((row) => row.length));
  for (const [y, row] of rows.entries()) {
    for (const [x, given] of row.entries()) {
      const value = found[y]?.[x] ?? null;
      if (typeof given !== 'string') expect(value).toBe(given);
      else {
        expect([given, `'${given}`]).toContain(value);
        expect(String(value).trimStart()).not.toMatch(/^[=+\-@＝＋－＠]/);
        expect(value).not.toMatch(/^[\t\r\n]/);
      }
    }
  }
});

test.each(['=HYPERLINK("https://evil.example")', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '＝1'])(
  '[N24] the text %s is no formula',
  (text) => {
    expect(toCsv([[text]])).toBe(`"'${text.replaceAll('"', '""')}"\r\n`);
  },
);

test('[N24] numbers stay numbers, and an absent value is an empty cell', () => {
  expect(toCsv([[-5, null, 'a"b,c']])).toBe('-5,,"a""b,c"\r\n');
});

test('[N38] a table whose reader goes away ends the reads behind it, which run in the work of its tenant', async () => {
  const seen: string[] = [];
  let isWithin = false;
  async function* parts(): AsyncGenerator<readonly number[]> {
    try {
      for (const part of [[1], [2], [3]]) {
        seen.push(isWithin ? 'within' : 'outside');
        yield part;
      }
    } finally {
      seen.push('ended');
    }
  }
  const within = async <T>(_tenant: object, work: () => Promise<T> | T): Promise<T> => {
    isWithin = true;
    const done = await work();
    isWithin = false;
    return done;
  };
  const tenant = { vendorId: newId('ven'), liveMode: true };
  const form = { columns: ['one'], rowsOf: (one: number) => [[one]] };
  const { body } = tableAnswer({ tenants: { within } as never }, 'GET /vendor/analytics/rider-performance', {
    tenant,
    parts: parts(),
    form,
  });
  const texts: unknown[] = [];
  for await (const text of body as AsyncIterable<unknown>) if (texts.push(text) === 2) break;
  expect([texts, seen]).toEqual([
    ['"one"\r\n1\r\n', '2\r\n'],
    ['within', 'within', 'ended'],
  ]);
});

test('[H496] a table is saved under the path of its route, and begins with its first heading', () => {
  const { 'Content-Disposition': saved } = csvHeaders('GET /settlement/vendors');
  expect(saved).toBe('attachment; filename="settlement-vendors.csv"');
  expect(toCsv([['id'], ['Zoë']])).toBe('"id"\r\n"Zoë"\r\n');
});
