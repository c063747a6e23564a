import { z } from 'zod';
import { DeliveryView, StopView } from '../domain/deliveries/delivery-view.ts';
import { API_VERSION, EVENT_TYPES, EVENTS, type EventType } from '../domain/deliveries/events.ts';
import { polishSchema } from '../domain/views/polish-schema.ts';
import { OfferView } from '../domain/offers/offer-view.ts';
import { NAMESPACES, type Namespace } from './protocol.ts';
import * as wire from './protocol.ts';
import { CHANNEL_WORDS, MESSAGE_WORDS } from './socket-words.ts';
import * as pushes from './pushes.ts';

type Schemas = Readonly<Record<string, z.ZodType>>;

const EVERY_READER: Schemas = { resync: wire.ResyncBody, auth: wire.AuthBody };

/** The messages that clients may send, by namespace. */
export const SENT_BY_CLIENTS: Readonly<Record<Namespace, Schemas>> = {
  '/courier': {
    ...EVERY_READER,
    ping: wire.PingBody,
    'offer.accept': wire.OfferBody,
    'offer.decline': wire.OfferBody,
    'stop.arrive': wire.ArriveBody,
    'delivery.pick_up': wire.CarryBody,
    'delivery.depart': wire.CarryBody,
    'delivery.deliver': wire.DeliverBody,
    'delivery.fail': wire.FailBody,
    'delivery.release': wire.ReleaseBody,
  },
  '/vendor': EVERY_READER,
  '/track': EVERY_READER,
  '/admin': { ...EVERY_READER, watch: wire.WatchBody, assign: wire.AssignBody, unassign: wire.UnassignBody },
};

/** The positive answers that contain more than `ok`. */
export const ANSWERS: Schemas = { ping: pushes.PingAcknowledgement };

const EVENT_SCHEMAS: Schemas = Object.fromEntries(EVENT_TYPES.map((type) => [type, pushes.eventSchema(type)]));

/** The messages that the server sends, by namespace. */
export const SENT_BY_SERVER: Readonly<Record<Namespace, Schemas>> = {
  '/courier': {
    ...toAll('/courier'),
    'offer.new': OfferView,
    'offer.withdrawn': pushes.OfferWithdrawn,
    'courier.hint': pushes.CourierHint,
  },
  '/vendor': { ...toAll('/vendor'), positions: pushes.Positions },
  '/track': { ...toAll('/track'), positions: pushes.Positions },
  '/admin': { ...toAll('/admin'), positions: pushes.Positions, alarm: pushes.AlarmRaised },
};

function toAll(namespace: Namespace): Schemas {
  return { ...EVENT_SCHEMAS, snapshot: pushes.SNAPSHOTS[namespace], top: pushes.Top, drain: pushes.Drain };
}

const REGISTRY = registerAll();

/** Registers all schemas. Two messages with the same body share one schema, under the name of the first. */
function registerAll() {
  const registry = z.registry<{ id: string }>();
  const add = (id: string, schema: z.ZodType): void => void (registry.has(schema) || registry.add(schema, { id }));
  add('Delivery', DeliveryView);
  add('Stop', StopView);
  add('Problem', pushes.ProblemView);
  add('Handshake', wire.HandshakeAuth);
  add('Acknowledgement', pushes.Acknowledgement);
  for (const [name, schema] of Object.entries(ANSWERS)) add(`${name}.acknowledgement`, schema);
  for (const sent of [SENT_BY_CLIENTS, SENT_BY_SERVER]) {
    for (const namespace of NAMESPACES) {
      for (const [name, schema] of Object.entries(sent[namespace])) add(componentOf(namespace, name), schema);
    }
  }
  return registry;
}

/** The name of a schema. Snapshots differ between namespaces; other messages are the same everywhere. */
function componentOf(namespace: Namespace, name: string): string {
  return name === 'snapshot' ? `snapshot.${idOf(namespace)}` : name;
}

const SERVER = {
  host: '{host}',
  pathname: '/socket.io/',
  protocol: 'wss',
  description: 'Socket.IO 4, WebSocket transport only. Use `ws` for a server without TLS.',
  variables: { host: { default: 'localhost:3000', description: 'Host and port of the server.' } },
  security: [{ $ref: '#/components/securitySchemes/token' }],
};

const TOKEN = {
  type: 'http',
  scheme: 'bearer',
  description:
    'The credential of the caller, sent as `auth.token` of the Socket.IO handshake and not as a header: an access token of ' +
    'a courier or of staff, an API key of a vendor, or the token of a tracking link. A refused handshake has the problem ' +
    'in the `data` of `connect_error`.',
};

/** Creates the AsyncAPI 3 document of the sockets from the schemas of the server. */
export function asyncapi(): object {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Delivery dispatch sockets',
      version: API_VERSION,
      description:
        'Socket.IO 4 over WebSocket with one namespace per kind of caller. Send the token in `auth.token`. The server ' +
        'acknowledges every message with `{ok: true, …}` or `{ok: false, problem}`. Events are numbered per delivery. ' +
        'An event may arrive twice, but never out of order. To receive missed events, use `auth.last_seq` or `resync`.',
    },
    servers: { sockets: SERVER },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(NAMESPACES.map((namespace) => [idOf(namespace), channelOf(namespace)])),
    operations: Object.fromEntries(NAMESPACES.flatMap(operationsOf)),
    components: { schemas: componentSchemas(), securitySchemes: { token: TOKEN } },
  };
}

function idOf(namespace: Namespace): string {
  return namespace.slice(1);
}

function channelOf(namespace: Namespace): object {
  const sent = Object.entries({ ...SENT_BY_CLIENTS[namespace], ...SENT_BY_SERVER[namespace] });
  const messages = sent.map(([name, schema]) => {
    const payload = ref(REGISTRY.get(schema)?.id ?? name);
    const description = isEventType(name) ? EVENTS[name].means : MESSAGE_WORDS[name];
    return [name, { name, description, payload }];
  });
  const answers = [...new Set(Object.keys(SENT_BY_CLIENTS[namespace]).map(answerOf))].map((name) => [
    name,
    {
      name,
      description: 'The acknowledgement: `{ok: true, …}`, or `{ok: false, problem}` with a refusal.',
      payload: ref(name),
    },
  ]);
  return {
    address: namespace,
    title: `Namespace ${namespace}`,
    description: CHANNEL_WORDS[namespace],
    servers: [{ $ref: '#/servers/sockets' }],
    'x-handshake': ref('Handshake'),
    messages: Object.fromEntries([...messages, ...answers]) as object,
  };
}

/** The schema of the acknowledgement of a message. */
function answerOf(name: string): string {
  return name in ANSWERS ? `${name}.acknowledgement` : 'Acknowledgement';
}

function isEventType(name: string): name is EventType {
  return Object.hasOwn(EVENTS, name);
}

/** The operations of the server: it receives and acknowledges each message of clients, and sends its own. */
function operationsOf(namespace: Namespace): [string, object][] {
  const id = idOf(namespace);
  const channel = { $ref: `#/channels/${id}` };
  const at = (name: string): object => ({ $ref: `#/channels/${id}/messages/${name}` });
  const received = Object.keys(SENT_BY_CLIENTS[namespace]).map((name): [string, object] => [
    `${id}.receive.${name}`,
    {
      action: 'receive',
      description: MESSAGE_WORDS[name],
      channel,
      messages: [at(name)],
      reply: { channel, messages: [at(answerOf(name))] },
    },
  ]);
  const sent = {
    action: 'send',
    description: 'The server sends events of deliveries, snapshots and messages of the connection.',
    channel,
    messages: Object.keys(SENT_BY_SERVER[namespace]).map(at),
  };
  return [...received, [`${id}.send`, sent]];
}

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

/** Every schema once. For a body with defaults, it is the input form. */
function componentSchemas(): object {
  const { schemas } = z.toJSONSchema(REGISTRY, {
    uri: (id) => `#/components/schemas/${id}`,
    io: 'input',
    unrepresentable: 'any',
  });
  const plain = Object.entries(schemas).map(([id, { $schema: _dialect, $id: _id, ...schema }]) => [
    id,
    polishSchema(schema, isEventType(id) ? 'Event' : id),
  ]);
  return Object.fromEntries(plain) as object;
}
