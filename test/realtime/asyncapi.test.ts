import { expect, test } from 'vitest';
import { asyncapi, SENT_BY_CLIENTS } from '../../src/realtime/asyncapi.ts';

type Described = { readonly description?: string };
type Operation = Described & {
  readonly action: string;
  readonly messages: { $ref: string }[];
  readonly reply?: { messages: { $ref: string }[] };
};
type Document = {
  readonly servers: Readonly<Record<string, Described & { security: { $ref: string }[] }>>;
  readonly channels: Readonly<Record<string, Described & { messages: Readonly<Record<string, Described>> }>>;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};

const document = JSON.parse(JSON.stringify(asyncapi())) as Document;

test('[H334] the document of the sockets says in words what each part is, and its references resolve', () => {
  const { servers, channels, operations } = document;
  const messages = Object.values(channels).flatMap((channel) => Object.entries(channel.messages));
  const parts = [...Object.entries(servers), ...Object.entries(channels), ...Object.entries(operations), ...messages];
  const bare = parts.filter(([, { description = '' }]) => !/^.{15,}\.$/s.test(description)).map(([name]) => name);
  expect(bare).toEqual([]);
  expect(parts.length).toBeGreaterThan(100);
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? '');
  for (const reference of new Set(references)) {
    const target = reference.split('/').reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
    expect([reference, typeof target]).toEqual([reference, 'object']);
  }
});

test('[H334] each message of a client has its acknowledgement, and each field of a fix is described', () => {
  const wanted = Object.entries(SENT_BY_CLIENTS).flatMap(([namespace, sent]) =>
    Object.keys(sent).map((name) => `${namespace.slice(1)}.receive.${name}`),
  );
  const received = Object.entries(document.operations).filter(([, { action }]) => action === 'receive');
  expect(received.map(([name]) => name).toSorted()).toEqual(wanted.toSorted());
  for (const [name, { reply }] of received) expect([name, reply?.messages.length]).toEqual([name, 1]);
  const { fixes } = (
    document.components.schemas['ping'] as { properties: Record<string, { items: { prefixItems: Described[] } }> }
  ).properties;
  const names = fixes?.items.prefixItems.map(({ description = '' }) => description.split(':')[0]);
  expect(names).toEqual(['seq', 't_ms', 'lat', 'lng', 'accuracy_m', 'speed_mps', 'heading_deg']);
});
