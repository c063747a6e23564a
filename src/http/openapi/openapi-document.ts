import { OpenApiGeneratorV31, OpenAPIRegistry, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { API_VERSION, EVENTS, type EventType } from '../../domain/deliveries/events.ts';
import type { Endpoint, Page, RouteRow } from '../endpoint.ts';
import { splitRoute } from '../mount.ts';
import { POLICY, type Allowed } from '../policy.ts';
import { ProblemView } from '../wire/problem.ts';
import { EVENT_VIEWS } from '../wire/webhooks/event.ts';
import { ABOUT, RECEIVED, RECEIVED_WORDS, SCHEMES, TAGS, WEBHOOK_HEADERS } from './api-text.ts';
import { eventExample } from './examples.ts';
import { createSchemas, inCapitals } from './openapi-schemas.ts';
import {
  parametersOf,
  pathParameters,
  problemsFor,
  refusalsOf,
  requestBodyOf,
  successesOf,
  type Parameter,
  type Schemas,
} from './operation-parts.ts';
import { problemResponses } from './problem-responses.ts';
import { DEFAULT_URL, serverEntry } from './server-entry.ts';

/** Creates the OpenAPI 3.1 document of these rows from their schemas and their policy. */
export function describeRows(rows: readonly RouteRow[]): object {
  const registry = new OpenAPIRegistry();
  const schemas = createSchemas();
  for (const [name, description] of Object.values(SCHEMES)) {
    registry.registerComponent('securitySchemes', name, { type: 'http', scheme: 'bearer', description });
  }
  for (const row of rows) {
    registry.registerPath(row.kind === 'page' ? pagePath(row, schemas) : endpointPath(row, schemas));
  }
  for (const [type, view] of EVENT_VIEWS) registry.registerWebhook(webhookPath(type, schemas.of(view, 'output')));
  schemas.of(ProblemView, 'output');
  for (const [name, response] of Object.entries(problemResponses())) {
    registry.registerComponent('responses', name, { description: '', ...response });
  }
  for (const [name, schema] of Object.entries(schemas.named())) registry.registerComponent('schemas', name, schema);
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Delivery logistics service',
      version: API_VERSION,
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [serverEntry(DEFAULT_URL)],
  });
  const tags = [...new Set(rows.map(({ tag }) => tag))];
  const groups = tags.map((name) => ({ name, description: TAGS[name] }));
  return { ...document, tags: [...groups, { name: RECEIVED, description: RECEIVED_WORDS }] };
}

function endpointPath(row: Endpoint, schemas: Schemas): RouteConfig {
  return {
    ...common(row),
    parameters: parametersOf(row, schemas),
    request: requestBodyOf(row, schemas),
    responses: { ...successesOf(row, schemas), ...refusalsOf(row, POLICY[row.route]) },
  };
}

function pagePath(row: Page, schemas: Schemas): RouteConfig {
  const allowed: Allowed = POLICY[row.route];
  const hasToken = row.route.includes('{token}');
  const showsPage = row.showRefusal !== undefined;
  const content = { [row.type]: { schema: { type: row.type === 'application/json' ? 'object' : 'string' } as const } };
  const named = row.param === undefined ? [] : [namedParameter(row.param)];
  return {
    ...common(row),
    parameters: [...pathParameters({ id: hasToken ? 'link' : null, part: null }, schemas), ...named],
    responses: {
      // A redirection has no content that a client reads.
      [row.status ?? 200]: { description: `${row.summary}.`, ...(row.status === undefined ? { content } : {}) },
      ...(hasToken && !showsPage ? problemsFor([404, 410]) : {}),
      ...(showsPage ? { 404: { description: 'The link is unknown.', content } } : {}),
      ...(showsPage ? { 410: { description: 'The link has expired.', content } } : {}),
      ...problemsFor(allowed.anyone === true ? [] : [401, 403]),
      ...(showsPage ? { 429: { description: 'The link is opened too often.', content } } : problemsFor([429])),
      ...(showsPage ? { default: { description: 'The server failed.', content } } : problemsFor(['default'])),
    },
  };
}

function namedParameter({ name, description, values }: NonNullable<Page['param']>): Parameter {
  return { name, in: 'path', required: true, description, schema: { type: 'string', enum: values } };
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
function securityOf(allowed: Allowed): Record<string, never[]>[] {
  const kinds = Object.entries(SCHEMES).filter(([kind]) => allowed[kind as keyof typeof SCHEMES] !== undefined);
  const named = kinds.map(([, [name]]) => ({ [name]: [] }));
  // A scraper on the same machine needs no token outside production.
  return allowed.scraper === undefined ? named : [...named, {}];
}

function webhookPath(type: EventType, schema: object): RouteConfig {
  const published = EVENTS[type].webhook === 'published';
  const example = eventExample(type);
  return {
    method: 'post',
    path: type,
    tags: [RECEIVED],
    operationId: `receive${inCapitals(type)}`,
    summary: published ? `Event ${type}` : `Event ${type}, sent to registrations that name it or *`,
    description: EVENTS[type].means,
    security: [],
    parameters: WEBHOOK_HEADERS.map((header) => ({ ...header, in: 'header', required: true })),
    request: {
      body: {
        required: true,
        content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
      },
    },
    responses: {
      '2XX': { description: 'The receiver has accepted the event.' },
      '4XX': {
        description: 'The receiver has not accepted the event. The server tries again, ten times over three days.',
      },
    },
  };
}
