import { OpenApiGeneratorV31, OpenAPIRegistry, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { API_VERSION, EVENT_TYPES, EVENTS, type EventType } from '../../domain/deliveries/events.ts';
import { PATH_IDS, type Endpoint, type Page, type RouteRow } from '../endpoint.ts';
import { splitRoute } from '../mount.ts';
import { createSchemas } from './openapi-schemas.ts';
import { POLICY, type Allowed } from '../policy.ts';
import { eventView } from '../wire/webhooks/event.ts';
import { ProblemView } from '../wire/problem.ts';

type Schemas = ReturnType<typeof createSchemas>;
type Responses = RouteConfig['responses'];
type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: object };

const SCHEMES = {
  vendor: ['vendorKey', 'API key of a vendor: dsk_test_… or dsk_live_…'],
  courier: ['courierToken', 'Access token of a courier, from POST /auth/token'],
  staff: ['staffToken', 'Access token of a member of staff, from POST /auth/token'],
  internal: ['serviceToken', 'Signed token of an internal service'],
  scraper: ['metricsToken', 'METRICS_TOKEN of the server'],
} as const;

/** Creates the OpenAPI 3.1 document of these rows from their schemas and their policy. */
export function describeRows(rows: readonly RouteRow[]): object {
  const registry = new OpenAPIRegistry();
  const schemas = createSchemas();
  for (const [name, description] of Object.values(SCHEMES)) {
    registry.registerComponent('securitySchemes', name, { type: 'http', scheme: 'bearer', description });
  }
  for (const row of rows) registry.registerPath(row.kind === 'page' ? pagePath(row) : endpointPath(row, schemas));
  for (const type of EVENT_TYPES) registry.registerWebhook(webhookPath(type, schemas));
  registry.registerComponent('responses', 'Problem', {
    description: 'A refusal or a failure of the server. `code` identifies it',
    content: { 'application/problem+json': { schema: schemas.of(ProblemView, 'output') } },
  });
  for (const [name, schema] of Object.entries(schemas.named())) registry.registerComponent('schemas', name, schema);
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: { title: 'Delivery logistics service', version: API_VERSION },
    servers: [{ url: '/' }],
  });
  return { ...document, tags: [...new Set(rows.map(({ tag }) => tag))].map((name) => ({ name })) };
}

function endpointPath(row: Endpoint, schemas: Schemas): RouteConfig {
  return {
    ...common(row),
    parameters: [...pathParameters(row), ...queryParameters(row, schemas)],
    ...requestOf(row, schemas),
    responses: { ...successes(row, schemas), ...refusals(POLICY[row.route], row.id !== null) },
  };
}

function requestOf({ body, upload }: Endpoint, schemas: Schemas): Pick<RouteConfig, 'request'> {
  if (upload !== null) return { request: { body: { required: true, content: formOf(body, upload, schemas) } } };
  if (body === null) return {};
  return { request: { body: { content: { 'application/json': { schema: schemas.of(body, 'input') } } } } };
}

type FormSchema = { properties?: Record<string, object>; required?: string[] };

/** A form: the fields of the body, and its files. */
function formOf(body: Endpoint['body'], upload: NonNullable<Endpoint['upload']>, schemas: Schemas) {
  const { properties = {}, required = [] } = body === null ? {} : (schemas.of(body, 'input') as FormSchema);
  const one = { type: 'string', format: 'binary', description: 'A file of at most 10 MiB, by FILES_MAX_BYTES' };
  const files = Object.entries(upload).map(([name, most]) => [
    name,
    most === 1 ? one : { type: 'array', items: one, maxItems: most },
  ]);
  const schema = { type: 'object' as const, properties: { ...properties, ...Object.fromEntries(files) }, required };
  return { 'multipart/form-data': { schema } };
}

function pagePath(row: Page): RouteConfig {
  const allowed: Allowed = POLICY[row.route];
  return {
    ...common(row),
    parameters: pathParameters({ id: row.route.includes('{token}') ? 'link' : null, part: null }),
    responses: {
      [row.status ?? 200]: { description: row.summary, content: { [row.type]: { schema: {} } } },
      ...(allowed.anyone === true ? {} : problemsFor([401, 403])),
    },
  };
}

type Common = Pick<RouteConfig, 'method' | 'path' | 'tags' | 'summary' | 'description' | 'security' | 'operationId'>;

function common(row: RouteRow): Common {
  const { verb, path } = splitRoute(row.route);
  return {
    method: verb,
    path,
    tags: [row.tag],
    summary: row.summary,
    description: row.description,
    operationId: row.name,
    security: securityOf(POLICY[row.route]),
  };
}

/** Lists one scheme for each kind of caller that the policy allows; empty if anyone may call. */
function securityOf(allowed: Allowed): Record<string, string[]>[] {
  const kinds = Object.entries(SCHEMES).filter(([kind]) => allowed[kind as keyof typeof SCHEMES] !== undefined);
  return kinds.map(([, [name]]) => ({ [name]: [] }));
}

function pathParameters({ id, part }: Pick<Endpoint, 'id' | 'part'>): Parameter[] {
  const kinds = [id, part].filter((kind) => kind !== null);
  return kinds.map((kind) => ({ name: PATH_IDS[kind].name, in: 'path', required: true, schema: { type: 'string' } }));
}

function queryParameters({ query }: Endpoint, schemas: Schemas): Parameter[] {
  if (query === null) return [];
  const { properties = {}, required = [] } = schemas.of(query, 'input') as QuerySchema;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

type QuerySchema = { properties?: Record<string, object>; required?: string[] };

function successes({ reply, status, also, summary }: Endpoint, schemas: Schemas): Responses {
  const content = reply === null ? {} : { content: { 'application/json': { schema: schemas.of(reply, 'output') } } };
  const all = { [status]: summary, ...also };
  return Object.fromEntries(Object.entries(all).map(([code, description]) => [code, { description, ...content }]));
}

/** The refusals that are common to all routes. The table of codes contains those of the use cases. */
function refusals(allowed: Allowed, hasId: boolean): Responses {
  return problemsFor([400, ...(allowed.anyone === true ? [] : [401, 403]), ...(hasId ? [404] : []), 'default']);
}

function problemsFor(statuses: readonly (number | 'default')[]): Responses {
  return Object.fromEntries(statuses.map((status) => [status, { $ref: '#/components/responses/Problem' }]));
}

function webhookPath(type: EventType, schemas: Schemas): RouteConfig {
  const signature = { name: 'X-Service-Signature', in: 'header', required: true, schema: { type: 'string' } } as const;
  const published = EVENTS[type].webhook === 'published';
  return {
    method: 'post',
    path: type,
    tags: ['Webhooks'],
    summary: published ? `Event ${type}` : `Event ${type}, sent to registrations that name it or *`,
    description: EVENTS[type].means,
    security: [],
    parameters: [signature],
    request: { body: { content: { 'application/json': { schema: schemas.of(eventView(type), 'output') } } } },
    responses: {
      '2XX': { description: 'The receiver has accepted the event. The server retries after any other answer' },
    },
  };
}
