import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { API_VERSION, EVENT_TYPES, EVENTS } from '../../src/domain/deliveries/events.ts';
import { viewCellOf } from '../../src/domain/geo/geo.ts';
import { NAMESPACES } from '../../src/realtime/protocol.ts';
import { ANSWERS, asyncapi, SENT_BY_CLIENTS, SENT_BY_SERVER } from '../../src/realtime/asyncapi.ts';
import { aPosition, anOffer, CENTER } from '../builders.ts';
import { until } from '../until.ts';
import { advance, assign, bear, openSite, storeCourier, tokensOf } from './house.ts';

const WIRE = { version: API_VERSION, hash: '22bf8f9f4290f6f2' };

test('[T26] the published events are the six of the interface', () => {
  const published = EVENT_TYPES.filter((type) => EVENTS[type].webhook === 'published');
  expect(published).toEqual([
    'delivery.created',
    'courier.assigned',
    'picked_up',
    'in_transit',
    'delivered',
    'canceled',
  ]);
});

test('[T26] the messages of the sockets have not changed', () => {
  const json = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const messages = [SENT_BY_CLIENTS, SENT_BY_SERVER].flatMap((sent) =>
    NAMESPACES.flatMap((namespace) =>
      Object.entries(sent[namespace]).map(([name, schema]) => [namespace, name, json(schema)]),
    ),
  );
  const schemas = [...messages, ...Object.entries(ANSWERS).map(([name, schema]) => ['answer', name, json(schema)])];
  // Descriptions are for people: a client does not depend on them.
  const text = JSON.stringify(schemas, (key, value: unknown) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  );
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const whatToDo =
    'The messages of the sockets have changed. If old clients still understand them, put the new hash here and a line ' +
    'in CHANGELOG.md. If they do not, also change API_VERSION in domain/deliveries/events.ts to the current date.';
  expect({ version: API_VERSION, hash }, whatToDo).toEqual(WIRE);
});

test('[T27] every reference of the document resolves, and the document names all messages', () => {
  const document: unknown = asyncapi();
  const text = JSON.stringify(document);
  for (const { means } of Object.values(EVENTS)) expect(text).toContain(`"description":${JSON.stringify(means)}`);
  const references = new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path ?? ''));
  expect(references.size).toBeGreaterThan(50);
  for (const path of references) {
    const found = path
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
    expect(found, path).toBeDefined();
  }
  for (const type of EVENT_TYPES) expect(text).toContain(`#/channels/track/messages/${type}`);
});

test('[T27] every field and every message of the document has a description', () => {
  const document = asyncapi() as { channels: Record<string, { messages: object }>; components: { schemas: object } };
  const bare = [
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) => bareFieldsOf(schema, name)),
    ...Object.values(document.channels).flatMap(({ messages }) => bareFieldsOf({ properties: messages }, 'messages')),
  ];
  expect(bare, 'Add `.describe(…)` to these fields, or a row to domain/views/field-words.ts').toEqual([]);
  expect(bareFieldsOf({ items: { properties: { a: { type: 'string' } } } }, 'x')).toEqual(['x.items.a']);
});

/** The fields without a description, at any depth of a schema. */
function bareFieldsOf(schema: unknown, at: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: Record<string, { description?: string }> };
  const own = Object.entries(properties).filter(([, { description = '' }]) => description.length < 5);
  const inner = Object.entries(schema).flatMap(([key, value]) =>
    bareFieldsOf(value, key === 'properties' ? at : `${at}.${key}`),
  );
  return [...own.map(([name]) => `${at}.${name}`), ...inner];
}

const site = await openSite('socket-wire');
const tokens = tokensOf(site);
const process = await site.start();

test('[T27] the messages of the server match the schemas of the document', async () => {
  const courier = await storeCourier(site);
  let delivery = await assign(site, await bear(site), courier);
  const clients = {
    '/courier': await site.join(process, '/courier', { token: tokens.courier(courier) }).ready(),
    '/vendor': await site.join(process, '/vendor', { token: tokens.vendor(delivery) }).ready(),
    '/track': await site.join(process, '/track', { token: tokens.recipient(delivery) }).ready(),
    '/admin': await site.join(process, '/admin', { token: tokens.staff() }).ready(),
  };
  await clients['/admin'].ask('watch', { cells: [viewCellOf(CENTER)] });
  const now = site.clock.now();
  process.ctx.positions.put(aPosition({ courierId: courier.id, at: now, receivedAt: now }));
  const all = Object.values(clients);
  await until(() => all.every(({ shown }) => shown(delivery.id) === 2));
  delivery = await advance(site, delivery, 'delivery.search_delayed');
  // A snapshot stands for the events up to it: the page gets one after each event.
  await until(() => clients['/track'].shown(delivery.id) === 3);
  delivery = await advance(site, delivery, 'picked_up', { state: 'picked_up' });
  const offer = anOffer({ courierId: courier.id, deliveryId: delivery.id });
  await process.ctx.notices.offerNew(offer, delivery);
  process.ctx.notices.offerWithdrawn(offer);
  const cell = viewCellOf(CENTER);
  const hint = { courierId: courier.id, cell, place: CENTER, distanceM: 900, expected: 2, expiresAt: now + 900_000 };
  process.ctx.notices.hint(hint);
  await until(
    () => clients['/track'].named('positions').length > 0 && clients['/vendor'].named('positions').length > 0,
  );
  await until(() => all.every(({ sequences }) => sequences(delivery.id).includes(4)));
  await until(() => clients['/courier'].named('courier.hint').length > 0);
  await process.realtime.leave();
  await until(() => all.every(({ closedBy }) => closedBy !== null));
  const seen = new Set<string>();
  for (const namespace of NAMESPACES) {
    for (const { name, body } of clients[namespace].heard) {
      seen.add(name);
      const schema = SENT_BY_SERVER[namespace][name];
      const parsed = schema?.safeParse(body);
      expect({ namespace, name, issues: parsed?.error?.issues }).toEqual({ namespace, name, issues: undefined });
      expect(schema, `${namespace} ${name}`).toBeDefined();
    }
  }
  for (const name of ['snapshot', 'positions', 'offer.new', 'offer.withdrawn', 'courier.hint', 'drain', 'picked_up'])
    expect(seen).toContain(name);
});
