import { expect, test } from 'vitest';
import { CANCEL_WORDS, FAIL_WORDS } from '../../../src/domain/views/reason-words.ts';
import { openapi } from '../../../src/http/openapi/openapi.ts';
import { OUTGOING_WORDS } from '../../../src/http/wire/reason-words.ts';
import { asyncapi } from '../../../src/realtime/asyncapi.ts';

type Field = { readonly enum?: readonly (string | null)[]; readonly description?: string };
type Found = Field & { readonly at: string };

const NAMES = /(^|_)(reason|cause|failure)$/;
const DOCUMENTS = { http: openapi(), sockets: JSON.parse(JSON.stringify(asyncapi())) as object };

/** The fields of a document that name a reason, with their places. */
function reasonsIn(value: unknown, at: string): Found[] {
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {} } = value as { properties?: Readonly<Record<string, Field>> };
  const own = Object.entries(properties).filter(([name]) => NAMES.test(name));
  const deeper = Object.entries(value).flatMap(([key, part]) =>
    key === 'example' ? [] : reasonsIn(part, `${at}/${key}`),
  );
  return [...own.map(([name, field]) => ({ ...field, at: `${at}/${name}` })), ...deeper];
}

/** The codes of a field that its description does not explain with at least two words. */
function unexplained({ description = '' }: Field, codes: readonly (string | null)[]): unknown[] {
  const meanings = new Map(
    [...description.matchAll(/`(\w+)`: (\w+ [^.]+)/g)].map(([, code, meaning]) => [code, meaning]),
  );
  return codes.filter((code) => code !== null && !meanings.has(code));
}

test.each(Object.entries(DOCUMENTS))(
  '[H445] each code of a reason is explained in the document of %s',
  (_name, document) => {
    const coded = reasonsIn(document, '').filter((field) => field.enum !== undefined);
    const missing = coded.map((field) => [field.at, unexplained(field, field.enum ?? [])]);
    expect(
      missing.filter(([, codes]) => codes?.length !== 0),
      'Add the codes to a table of reason-words.ts',
    ).toEqual([]);
    expect(coded.length).toBeGreaterThan(2);
  },
);

test.each([
  ['Payout/properties/reason', ['refused_by_gateway', 'transfer_differs']],
  ['TopUpRefund/properties/failure', Object.keys(OUTGOING_WORDS)],
  ['Delivery/properties/cancellation/properties/reason', Object.keys(CANCEL_WORDS)],
  ['Delivery/properties/failure/properties/reason', Object.keys(FAIL_WORDS)],
])('[H445] %s explains the codes of the server, although it may have another text', (path, codes) => {
  const at = ['components', 'schemas', ...path.split('/')];
  const field = at.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], DOCUMENTS.http);
  expect(unexplained(field as Field, codes)).toEqual([]);
});
