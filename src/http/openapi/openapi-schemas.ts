import { z } from 'zod';
import type { EventType } from '../../domain/deliveries/events.ts';
import { EVENT_VIEWS } from '../wire/webhooks/event.ts';
import { NAMED } from './named-schemas.ts';
import { polishSchema, type JsonSchema } from '../../domain/views/polish-schema.ts';

/**
 * Turns zod schemas into the JSON schemas of a document. It uses zod's own conversion, because only zod knows which keys
 * are optional in the input and in the output.
 */
export function createSchemas(): {
  of: (schema: z.ZodType, side: 'input' | 'output') => JsonSchema;
  named: () => Record<string, JsonSchema>;
} {
  const names = z.registry<{ id: string }>();
  for (const [id, schema] of NAMED) names.add(schema, { id });
  for (const [type, schema] of EVENT_VIEWS) names.add(schema, { id: `${inCapitals(type)}Event` });
  const named = new Map<string, JsonSchema>();
  return {
    of: (schema, side) => {
      const {
        $schema: _dialect,
        $defs: definitions = {},
        ...json
      } = z.toJSONSchema(schema, {
        io: side,
        unrepresentable: 'any',
        metadata: names,
        override: ({ zodSchema, jsonSchema }) => {
          // Adds descriptions, and the types of fields that only code can check.
          Object.assign(jsonSchema, z.globalRegistry.get(zodSchema));
          if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
        },
      });
      for (const [id, definition] of Object.entries(definitions)) {
        named.set(id, polishSchema(atComponents(definition), id));
      }
      return polishSchema(atComponents(json), '');
    },
    named: () => Object.fromEntries([...named].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** The name of an event type in the style of a class: `DeliveryCreated`. */
export function inCapitals(type: EventType): string {
  return type.replaceAll(/(?:^|[._])([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

function atComponents(json: object): JsonSchema {
  return JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
}
