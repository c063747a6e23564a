import { expect, test } from 'vitest';
import { EVENTS } from '../../../src/domain/deliveries/events.ts';
import { POLICY } from '../../../src/http/policy.ts';
import { openapi } from '../../../src/http/openapi/openapi.ts';
import { call, openHouse } from '../house.ts';
import { refuseUnlisted } from '../unlisted.ts';

type Operation = {
  operationId: string;
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: { required?: string[]; $ref?: string } }> };
  responses: Record<string, object>;
};
type Document = {
  servers: unknown;
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, object>;
  components: { schemas: Record<string, { required?: string[]; properties?: object }>; securitySchemes: object };
};

const document = openapi() as Document;
const addressOf = (servers: unknown): unknown =>
  (servers as { variables: { base_url: { default: string } } }[])[0]?.variables.base_url.default;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, path, operation })),
);

test('[H388] a test whose request is refused with a status that the document does not list fails', () => {
  const refuse = (asked: string, status: number) => () => refuseUnlisted('GET', asked, status);
  expect(refuse('/deliveries/some/status', 410)).toThrow('GET /deliveries/{id}/status answered 410');
  expect(refuse('/deliveries/some/history?limit=1', 410)).not.toThrow();
  expect(refuse('/vendor/analytics/rider-performance', 409)).toThrow('rider-performance answered 409');
  expect(refuse('/deliveries', 422)).not.toThrow();
});

test('[H35] the document has exactly the paths of the router, and the server shows it', async () => {
  expect(document.openapi).toBe('3.1.0');
  expect(operations.map(({ route }) => route).toSorted()).toEqual(Object.keys(POLICY).toSorted());
  const house = await openHouse('openapi');
  const { servers, ...shown } = (await call(house, 'GET /openapi.json')).body;
  expect({ ...shown, servers: document.servers }).toEqual(JSON.parse(JSON.stringify(document)));
  expect(addressOf(servers)).toBe(house.ctx.settings.http.baseUrl);
});

test('[H333] the document in the repository names localhost', () => {
  expect(addressOf(document.servers)).toBe('http://localhost:3000');
});

test('[H36] every reference of the document resolves, and every name in a path is a parameter', () => {
  const text = JSON.stringify(document);
  const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? '');
  for (const reference of references) {
    const target = reference.split('/').reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
    expect([reference, typeof target]).toEqual([reference, 'object']);
  }
  expect(references.length).toBeGreaterThan(50);
  for (const { route, path, operation } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const described = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    const hasSuccess = Object.keys(operation.responses).some((status) => /^[23]/.test(status));
    expect([route, hasSuccess, ...described.map(({ name }) => name)]).toEqual([route, true, ...named]);
  }
});

test('[H250] each operation has a name of verb and object, a short title and a description in sentences', () => {
  for (const { route, operation } of operations) {
    expect([route, operation.operationId]).toEqual([route, expect.stringMatching(/^[a-z]+[A-Z][A-Za-z]*$/)]);
    expect([route, operation.summary]).toEqual([route, expect.stringMatching(/^[A-Z][^\n]{5,120}[^.]$/)]);
    expect([route, operation.description]).toEqual([route, expect.stringMatching(/^[A-Z].{30,}\.$/s)]);
  }
});

test('[H37] the security of an operation is the row of the policy', () => {
  const schemes = {
    vendor: 'vendorKey',
    courier: 'courierToken',
    staff: 'staffToken',
    internal: 'serviceToken',
    scraper: 'metricsToken',
  };
  for (const { route, operation } of operations) {
    const kinds = Object.keys(POLICY[route as keyof typeof POLICY]).filter((kind) => kind !== 'anyone');
    const wanted = kinds.map((kind) => schemes[kind as keyof typeof schemes]);
    const shown = operation.security.flatMap((entry) => Object.keys(entry));
    expect([route, ...shown.toSorted()]).toEqual([route, ...wanted.toSorted()]);
  }
});

test('[H38] the document does not require optional fields of bodies and answers', () => {
  expect(document.components.schemas['NewDelivery']?.required).toEqual(['pickup', 'drop_off']);
  expect(document.components.schemas['Delivery']?.required).not.toContain('tracking_url');
  expect(document.components.schemas['Delivery']?.required).toContain('cancellation');
});

test('[H39] every event that is sent stands under webhooks', () => {
  expect(Object.keys(document.webhooks).toSorted()).toEqual(Object.keys(EVENTS).toSorted());
  for (const [type, { means }] of Object.entries(EVENTS)) {
    expect(document.webhooks[type]).toMatchObject({ post: { description: means } });
  }
});

test('[H40] the published routes of deliveries, couriers, dispatch, tracking and webhooks are all there', () => {
  // oxfmt-ignore
  const published = [
    'POST /express/deliveries', 'POST /express/quotes', 'POST /express/deliveries/{id}/cancel',
    'GET /express/deliveries/{id}', 'GET /express/deliveries', 'GET /express/deliveries/{id}/tracking-link',
    'GET /express/deliveries/{id}/tracking', 'POST /couriers/onboard', 'PATCH /couriers/{id}/status',
    'POST /dispatch/assign', 'PUT /couriers/{id}/location', 'POST /deliveries', 'PATCH /deliveries/{id}',
    'POST /deliveries/{id}/cancel', 'GET /deliveries/{id}', 'GET /deliveries', 'GET /deliveries/{id}/status',
    'GET /deliveries/{id}/history', 'GET /deliveries/{id}/tracking-url', 'GET /deliveries/{id}/live-location',
    'POST /webhooks', 'GET /webhooks',
  ];
  expect(Object.keys(POLICY)).toEqual(expect.arrayContaining(published));
});
