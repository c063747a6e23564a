import { z } from 'zod';
import { DeliveryView } from '../src/domain/deliveries/delivery-view.ts';
import { EVENT_TYPES } from '../src/domain/deliveries/events.ts';
import { CourierDelivery } from '../src/domain/views/courier-delivery.ts';
import { FixTuple } from '../src/domain/couriers/fix-tuple.ts';
import { SENT_BY_CLIENTS } from '../src/realtime/asyncapi.ts';
import { PingAnswer } from '../src/realtime/protocol.ts';
import * as pushes from '../src/realtime/pushes.ts';
import { OfferView } from '../src/domain/offers/offer-view.ts';
import { printComment, printType, type Schema, type Side } from './print-type.ts';

const NOTE =
  '// `npm run docs` generates this file from the schemas of the server and overwrites all changes. // one table';

/** Messages of every reader. The sockets of the client send them by themselves. */
const OWN = ['resync', 'auth', 'ping'];

/** The types of the socket messages of the client in `packages/client`. */
export function clientMessages(): string {
  const sent = Object.entries(SENT_BY_CLIENTS['/courier']).filter(([name]) => !OWN.includes(name));
  const actions = sent.map(
    ([name, schema]) =>
      `${printComment([schema.description ?? ''], '  ')}  '${name}': ${typeOf(schema, 'input', '  ')};\n`,
  );
  return [
    NOTE,
    "import type { CourierDelivery, Delivery } from './types.ts';",
    declare('EventType', EVENT_TYPES.map((type) => `'${type}'`).join(' | ')),
    declare('SocketEvent', eventType()),
    declare('Fix', typeOf(FixTuple, 'input')),
    declare('PingAnswer', typeOf(PingAnswer, 'output')),
    declare('Offer', typeOf(OfferView, 'output')),
    declare('OfferWithdrawn', typeOf(pushes.OfferWithdrawn, 'output')),
    declare('CourierHint', typeOf(pushes.CourierHint, 'output')),
    declare('Positions', typeOf(pushes.Positions, 'output')),
    declare('CourierSnapshot', typeOf(pushes.SNAPSHOTS['/courier'], 'output')),
    declare('VendorSnapshot', typeOf(pushes.SNAPSHOTS['/vendor'], 'output')),
    declare('TrackSnapshot', typeOf(pushes.SNAPSHOTS['/track'], 'output')),
    `\n/** What a courier does, with the body of each message. */\nexport type CourierActions = {\n${actions.join('')}};`,
    '',
  ].join('\n');
}

function declare(name: string, text: string): string {
  return `\nexport type ${name} = ${text};`;
}

/** All events have one form, with a type of their own. */
function eventType(): string {
  const schema = schemaOf(pushes.eventSchema('delivered'), 'output');
  const { type: _type, ...properties } = schema.properties ?? {};
  return printType({ ...schema, properties: { ...properties, type: { $ref: 'EventType' } } }, 'output');
}

function typeOf(schema: z.ZodType, side: Side, indent = ''): string {
  return printType(schemaOf(schema, side), side, indent);
}

/** The JSON Schema, in which a delivery is a name. */
function schemaOf(schema: z.ZodType, side: Side): Schema {
  const names = z.registry<{ id: string }>();
  names.add(DeliveryView, { id: 'Delivery' });
  names.add(CourierDelivery, { id: 'CourierDelivery' });
  return z.toJSONSchema(schema, {
    io: side,
    unrepresentable: 'any',
    metadata: names,
    // Adds descriptions, and the types of ids, which only code can check.
    override: ({ zodSchema, jsonSchema }) => Object.assign(jsonSchema, z.globalRegistry.get(zodSchema)),
  }) as Schema;
}
