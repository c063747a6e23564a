import type { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** What a schema says of a format, in words. */
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'a time in RFC 3339 with its zone, such as `2026-01-05T12:00:00Z`',
  email: 'an e-mail address',
  uri: 'an absolute URL',
};

const KINDS: Readonly<Partial<Record<string, (schema: JsonSchema) => string>>> = {
  string: ({ format = '', minLength, maxLength }) =>
    FORMATS[format] ?? `a string${sizeOf(minLength, maxLength, 'characters')}`,
  integer: (schema) => `a whole number${rangeOf(schema)}`,
  number: (schema) => `a number${rangeOf(schema)}`,
  boolean: () => '`true` or `false`',
  array: (schema) => `an array${arraySizeOf(schema)}`,
  null: () => '`null`',
};

/** All schemas that may hold at this path: more than one below a union, none where nothing is known. */
export function schemaAt(root: JsonSchema, path: readonly PropertyKey[]): JsonSchema[] {
  return path.reduce<JsonSchema[]>((found, key) => found.flatMap((schema) => below(schema, key)), branchesOf(root));
}

function below(schema: JsonSchema, key: PropertyKey): JsonSchema[] {
  const { properties, prefixItems, items, additionalProperties } = schema;
  const next =
    typeof key === 'number'
      ? (prefixItems?.[key] ?? items)
      : Object.hasOwn(properties ?? {}, key)
        ? properties?.[String(key)]
        : additionalProperties;
  return typeof next === 'object' && !Array.isArray(next) ? branchesOf(next) : [];
}

/** The schema itself, or those of which one must hold. */
function branchesOf(schema: JsonSchema): JsonSchema[] {
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return branches.length === 0 ? [schema] : branches.flatMap(branchesOf);
}

/** In words what the schemas take, as it stands after "must be". */
export function describeSchema(schemas: readonly JsonSchema[]): string {
  const words = schemas.flatMap(({ enum: listed, const: one }) => listed ?? (one === undefined ? [] : [one]));
  const others = schemas.filter(({ enum: listed, const: one }) => listed === undefined && one === undefined);
  const fields = fieldsOf(others);
  const kinds = others.filter(({ properties }) => properties === undefined).map(describeOne);
  const all = [
    ...(words.length === 0 ? [] : [oneOf(words)]),
    ...(fields === '' ? [] : [`an object with ${fields}`]),
    ...kinds,
  ];
  return all.length === 0 ? 'something else' : [...new Set(all)].join(', or ');
}

function oneOf(words: readonly unknown[]): string {
  const quoted = [...new Set(words.map((word) => `\`${String(word)}\``))];
  return quoted.length === 1 ? (quoted[0] ?? '') : `one of ${quoted.join(', ')}`;
}

/** The fields that objects of these schemas have, as a sentence lists them; empty when there are none. */
export function fieldsOf(schemas: readonly JsonSchema[]): string {
  const fields = schemas.flatMap(({ properties }) => Object.keys(properties ?? {}));
  return [...new Set(fields)].map((field) => `\`${field}\``).join(', ');
}

function describeOne(schema: JsonSchema): string {
  const kind = typeof schema.type === 'string' ? KINDS[schema.type] : undefined;
  return kind === undefined ? 'an object' : kind(schema);
}

/** Tuples have as many items as their schema lists. */
function arraySizeOf({ prefixItems, minItems, maxItems }: JsonSchema): string {
  return prefixItems === undefined ? sizeOf(minItems, maxItems, 'items') : ` of ${prefixItems.length} items`;
}

function sizeOf(least: number | undefined, most: number | undefined, unit: string): string {
  if (most === undefined) return (least ?? 0) > 0 ? ` of ${least} ${unit} or more` : '';
  return least === undefined || least === 0 ? ` of at most ${most} ${unit}` : ` of ${least} to ${most} ${unit}`;
}

/** The range of a number. What every safe integer keeps to is no limit worth naming. */
function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): string {
  const least = limitOf(minimum) ?? limitOf(exclusiveMinimum);
  const most = limitOf(maximum) ?? limitOf(exclusiveMaximum);
  if (least === null && most === null) return '';
  if (least === null) return ` of at most ${most}`;
  const from = minimum === undefined ? ` above ${least}` : ` from ${least}`;
  if (most === null) return `${from} up`;
  return minimum === undefined ? `${from} and at most ${most}` : `${from} to ${most}`;
}

function limitOf(value: number | boolean | undefined): number | null {
  return typeof value !== 'number' || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? null : value;
}
