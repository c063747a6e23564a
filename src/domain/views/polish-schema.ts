import { wordsFor } from './field-words.ts';

export type JsonSchema = Record<string, unknown>;

/**
 * Rewrites a JSON schema for readers: fields get their common description, and nullable types become one type.
 * @param parent the name of the schema, or of the field that has it
 */
export function polishSchema(schema: JsonSchema, parent: string): JsonSchema {
  const made: JsonSchema = {};
  for (const [key, value] of Object.entries(schema)) made[key] = polishKey(key, value, parent);
  // The pattern of a number in a query is the rule of its text, which its type and limits already say.
  if (made['type'] === 'integer' || made['type'] === 'number') delete made['pattern'];
  return joinNull(flatten(made));
}

function polishKey(key: string, value: unknown, parent: string): unknown {
  if (key === 'properties') return polishFields(value as Record<string, JsonSchema>, parent);
  if (Array.isArray(value)) return value.map((each: unknown) => (isObject(each) ? polishSchema(each, parent) : each));
  // An example or a default is a value and not a schema.
  if (!isObject(value) || key === 'default' || key === 'const') return value;
  return polishSchema(value, parent);
}

function polishFields(fields: Record<string, JsonSchema>, parent: string): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const polished = polishSchema(field, name);
      const words = polished['description'] ?? wordsFor(parent, name);
      return [name, defaultInWords(words === undefined ? polished : { ...polished, description: words })];
    }),
  );
}

/** Says the default in the description: generators demand a field with a `default`, or write null in the wrong language. */
function defaultInWords({ default: preset, ...schema }: JsonSchema): JsonSchema {
  const words = typeof schema['description'] === 'string' ? schema['description'] : '';
  if (preset === undefined || preset === null || isObject(preset) || /default/i.test(words)) return schema;
  const sentence = words === '' || /[.!]$/.test(words) ? words : `${words}.`;
  return { ...schema, description: `${sentence} The default is \`${JSON.stringify(preset)}\`.`.trim() };
}

/** Joins a choice within a choice. */
function flatten(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const choices = (anyOf as JsonSchema[]).flatMap((each) => {
    const inner = Object.keys(each).length === 1 ? each['anyOf'] : undefined;
    return Array.isArray(inner) ? (inner as JsonSchema[]) : [each];
  });
  return { ...schema, anyOf: choices };
}

/** `anyOf` of a simple type and null becomes one type, which generators read as nullable. */
function joinNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [value, nothing] = anyOf as JsonSchema[];
  if (nothing?.['type'] !== 'null' || typeof value?.['type'] !== 'string') return schema;
  const { enum: words, const: only, ...others } = value;
  const allowed = Array.isArray(words) ? words : only === undefined ? null : [only];
  return {
    ...others,
    type: [value['type'], 'null'],
    ...(allowed === null ? {} : { enum: [...allowed, null] }),
    ...rest,
  };
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
