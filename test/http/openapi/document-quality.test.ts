import { expect, test } from 'vitest';
import { openapi } from '../../../src/http/openapi/openapi.ts';

type Json = Record<string, unknown>;

const document = openapi() as Json & { paths: Record<string, Record<string, Operation>>; webhooks: Json };
type Operation = { parameters?: { name: string; in: string }[]; requestBody?: { required?: boolean } };

/** Calls `visit` with every object of the document and its path. */
function walk(value: unknown, at: string, visit: (object: Json, at: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as Json, at);
  for (const [key, part] of Object.entries(value)) if (key !== 'example') walk(part, `${at}/${key}`, visit);
}

test('[H251] every field, parameter and tag of the document has a description', () => {
  const bare: string[] = [];
  let seen = 0;
  walk(document, '', ({ properties = {}, parameters, tags = [] }, at) => {
    const fields = Object.entries(properties as Record<string, Json>);
    const listed = Array.isArray(parameters) ? (parameters as Json[]) : [];
    const named = [...listed, ...(at === '' ? (tags as Json[]) : [])].map(
      (each) => [String(each['name']), each] as const,
    );
    for (const [name, { description }] of [...fields, ...named]) {
      seen += 1;
      if (typeof description !== 'string' || description.length < 5) bare.push(`${at}: ${name}`);
    }
  });
  expect(bare, 'Add `.describe(…)` to these fields, or a row to domain/views/field-words.ts').toEqual([]);
  expect(seen).toBeGreaterThan(500);
});

test('[H253] patterns of the document use only what every tool can read', () => {
  let seen = 0;
  walk(document, '', ({ pattern }, at) => {
    if (typeof pattern !== 'string') return;
    seen += 1;
    // Unicode classes need a flag, and engines without backtracking have no look-around.
    expect([at, pattern]).not.toEqual([at, expect.stringMatching(/\\[pPuk]|\(\?[=!<]/)]);
    expect(() => new RegExp(pattern)).not.toThrow();
  });
  expect(seen).toBeGreaterThan(50);
});

test('[H254] a body is required exactly if the server refuses an empty one', () => {
  const { paths } = document;
  expect(paths['/deliveries']?.['post']?.requestBody?.required).toBe(true);
  expect(paths['/webhooks']?.['post']?.requestBody?.required).toBe(true);
  expect(paths['/deliveries/{id}/cancel']?.['post']?.requestBody?.required).toBe(false);
  expect(paths['/vendor/deliveries/{id}/ready']?.['patch']?.requestBody?.required).toBe(false);
});

test('[H255] headers of requests and webhooks are parameters', () => {
  const headersOf = (route: string, verb: string): string[] =>
    (document.paths[route]?.[verb]?.parameters ?? []).filter((each) => each.in === 'header').map(({ name }) => name);
  expect(headersOf('/deliveries/{id}', 'patch')).toEqual(expect.arrayContaining(['If-Match', 'X-Request-Id']));
  expect(headersOf('/vendor/deliveries/{id}/ready', 'patch')).toContain('If-Match');
  expect(headersOf('/deliveries/{id}', 'get')).not.toContain('If-Match');
  for (const [type, webhook] of Object.entries(document.webhooks as Record<string, { post: Operation }>)) {
    const headers = (webhook.post.parameters ?? []).map(({ name }) => name);
    expect([type, ...headers]).toEqual([
      type,
      'X-Service-Signature',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
  }
});

test('[H332] the document avoids what generators of clients misread', () => {
  const odd: string[] = [];
  walk({ paths: document.paths, components: document['components'] }, '', (schema, at) => {
    const { type } = schema;
    // A field with a default is demanded by some generators, and null is written in the wrong language by others.
    if ('default' in schema && !at.endsWith('/responses') && !at.endsWith('/properties')) odd.push(`${at}: default`);
    if ('pattern' in schema && (type === 'integer' || type === 'number')) odd.push(`${at}: pattern of a number`);
    if (type === 'boolean' && ('const' in schema || 'enum' in schema)) odd.push(`${at}: constant boolean`);
  });
  expect(odd).toEqual([]);
  // Generators write one file for each tag, and the webhooks would overwrite the file of a route.
  const tagsOf = (paths: unknown): string[] =>
    Object.values(paths as Record<string, Record<string, { tags: string[] }>>).flatMap((each) =>
      Object.values(each).flatMap(({ tags }) => tags),
    );
  const ofRoutes = new Set(tagsOf(document.paths));
  expect(tagsOf(document.webhooks).filter((tag) => ofRoutes.has(tag))).toEqual([]);
  const { post } =
    (document.webhooks as Record<string, { post: { requestBody: { content: Record<string, { schema: unknown }> } } }>)[
      'picked_up'
    ] ?? {};
  expect(post?.requestBody.content['application/json']?.schema).toEqual({ $ref: '#/components/schemas/PickedUpEvent' });
});
