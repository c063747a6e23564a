import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { DeliveryView } from '../../domain/deliveries/delivery-view.ts';
import type { Endpoint } from '../endpoint.ts';
import { PATH_IDS, type IdKind } from '../path-ids.ts';
import { isKeyed } from '../idempotency/request-key.ts';
import type { Allowed, Route } from '../policy.ts';
import { REQUEST_HEADERS, RESPONSE_HEADERS } from './api-text.ts';
import { exampleOf } from './examples.ts';
import type { createSchemas } from './openapi-schemas.ts';
import { problemName, type ProblemStatus } from './problem-statuses.ts';

export type Schemas = ReturnType<typeof createSchemas>;
export type Responses = RouteConfig['responses'];
export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: object;
};

/** The parameters of an operation: the ids of its path, its query and its headers. */
export function parametersOf(row: Endpoint, schemas: Schemas): Parameter[] {
  const headers = [
    ...(row.ifMatch ? [REQUEST_HEADERS.ifMatch] : []),
    ...(isKeyed(row.route) ? [REQUEST_HEADERS.idempotencyKey] : []),
    REQUEST_HEADERS.requestId,
    REQUEST_HEADERS.version,
    REQUEST_HEADERS.traceparent,
  ];
  return [
    ...pathParameters(row, schemas),
    ...queryParameters(row, schemas),
    ...headers.map((header) => ({ ...header, in: 'header' as const, required: false })),
  ];
}

const NAMES: Readonly<Record<string, string>> = { link: 'Token of the link, the last part of its URL.' };

/** The ids of a path, in their order. */
export function pathParameters(
  { id, part }: { id: IdKind | null; part: IdKind | null },
  schemas: Schemas,
): Parameter[] {
  const kinds = [id, part].filter((kind) => kind !== null);
  return kinds.map((kind) => ({
    name: PATH_IDS[kind].name,
    in: 'path',
    required: true,
    description: NAMES[kind] ?? `Id of the ${kind}. A malformed id is answered like an unknown one.`,
    schema: schemas.of(PATH_IDS[kind].schema, 'input'),
  }));
}

type QuerySchema = { properties?: Record<string, { description?: string }>; required?: string[] };

function queryParameters({ query }: Endpoint, schemas: Schemas): Parameter[] {
  if (query === null) return [];
  const { properties = {}, required = [] } = schemas.of(query, 'input') as QuerySchema;
  return Object.entries(properties).map(([name, { description = '', ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema,
  }));
}

/** The body of a request. It is required unless the server also accepts an empty one. */
export function requestBodyOf(row: Endpoint, schemas: Schemas): NonNullable<RouteConfig['request']> {
  if (row.upload !== null) return { body: { required: true, content: formOf(row, row.upload, schemas) } };
  if (row.body === null) return {};
  const content = { schema: schemas.of(row.body, 'input'), ...requestExamples(row.route) };
  return { body: { required: !row.body.safeParse({}).success, content: { 'application/json': content } } };
}

/** The recorded bodies of a request. If they differ, the one with the fewest fields comes first. */
function requestExamples(route: Route): { example?: unknown; examples?: Record<string, ExampleObject> } {
  const { request, smallest } = exampleOf(route) ?? {};
  if (request === undefined) return {};
  if (JSON.stringify(request) === JSON.stringify(smallest)) return { example: request };
  return {
    examples: {
      smallest: { summary: 'With the fewest fields', value: smallest },
      whole: { summary: 'With more fields', value: request },
    },
  };
}

type ExampleObject = { readonly summary: string; readonly value: unknown };
type FormSchema = { properties?: Record<string, object>; required?: string[] };

/** A form: the fields of the body, and its files. */
function formOf({ route, body }: Endpoint, upload: NonNullable<Endpoint['upload']>, schemas: Schemas) {
  const { properties = {}, required = [] } = body === null ? {} : (schemas.of(body, 'input') as FormSchema);
  const description = 'A file of at most 10 MiB, unless `FILES_MAX_BYTES` sets another limit.';
  const one = { type: 'string', format: 'binary', description };
  const files = Object.entries(upload).map(([name, most]) => [
    name,
    most === 1 ? one : { type: 'array', items: one, maxItems: most, description: `At most ${most} files.` },
  ]);
  const fields = { ...properties, ...Object.fromEntries(files) };
  const schema = { type: 'object' as const, properties: fields, required, additionalProperties: false };
  return { 'multipart/form-data': { schema, ...requestExamples(route) } };
}

const FILE_SCHEMAS = {
  'text/csv': { type: 'string' },
  'application/pdf': { type: 'string', format: 'binary' },
} as const;

/** The answers of success, with their headers and a recorded example. */
export function successesOf(row: Endpoint, schemas: Schemas): Responses {
  const recorded = exampleOf(row.route);
  const file = row.fileType === null ? {} : { [row.fileType]: { schema: FILE_SCHEMAS[row.fileType] } };
  const all = { [row.status]: `${row.summary}.`, ...row.also };
  return Object.fromEntries(
    Object.entries(all).map(([status, description]) => {
      const answer = recorded?.answers?.[status];
      const example = answer === undefined ? {} : { example: answer };
      const content =
        row.reply === null
          ? {}
          : { content: { 'application/json': { schema: schemas.of(row.reply, 'output'), ...example }, ...file } };
      return [status, { description, headers: headersOf(row, Number(status)), ...content }];
    }),
  );
}

function headersOf(row: Endpoint, status: number): Record<string, { description: string; schema: object }> {
  const isDelivery = row.reply === DeliveryView;
  const given = [
    RESPONSE_HEADERS.requestId,
    RESPONSE_HEADERS.version,
    RESPONSE_HEADERS.traceparent,
    RESPONSE_HEADERS.limitPolicy,
    RESPONSE_HEADERS.limit,
    ...(isKeyed(row.route) ? [RESPONSE_HEADERS.replayed] : []),
    ...(isDelivery ? [RESPONSE_HEADERS.etag] : []),
    ...(isDelivery && row.status === 201 && status < 202 ? [RESPONSE_HEADERS.location] : []),
    ...(isList(row.reply) ? [RESPONSE_HEADERS.link] : []),
  ];
  return Object.fromEntries(given.map(({ name, ...header }) => [name, header]));
}

function isList(reply: z.ZodType | null): boolean {
  return reply instanceof z.ZodObject && 'next_cursor' in reply.shape;
}

/** The refusals of an operation by status; the table of codes lists which codes each status has. */
export function refusalsOf(row: Endpoint, allowed: Allowed): Responses {
  const isWrite = row.route.split(' ')[0] !== 'GET';
  const hasId = row.id !== null;
  return problemsFor([
    400,
    ...(allowed.anyone === true ? [] : ([401, 403] as const)),
    ...(hasId ? ([404] as const) : []),
    ...(row.id === 'link' ? ([410] as const) : []),
    ...(isWrite ? ([409] as const) : []),
    ...(row.ifMatch ? ([412] as const) : []),
    ...(isWrite ? ([413] as const) : []),
    ...(isWrite && row.body !== null ? ([415] as const) : []),
    ...(row.query !== null || row.body !== null ? ([422] as const) : []),
    ...row.refuses,
    429,
    503,
    'default',
  ]);
}

/** References to the named problem responses. */
export function problemsFor(statuses: readonly (ProblemStatus | 'default')[]): Responses {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${problemName(status)}` }]),
  );
}
