import type { z } from 'zod';
import { counted } from './shown-text.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The formats of strings, in words. */
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'an RFC 3339 time with a zone, such as `2026-01-05T12:00:00Z`',
  date: 'a date, such as `2026-01-05`',
  email: 'an e-mail address',
  uri: 'an absolute URL',
};

const KINDS: Readonly<Partial<Record<string, (schema: JsonSchema) => string>>> = {
  string: ({ format = '', minLength, maxLength }) =>
    FORMATS[format] ?? `a string${sizeOf(minLength, maxLength, 'character')}`,
  integer: (schema) => `a whole number${rangeOf(schema)}`,
  number: (schema) => `a number${rangeOf(schema)}`,
  boolean: () => '`true` or `false`',
  array: (schema) => `an array${arraySizeOf(schema)}`,
  null: () => '`null`',
};

/** Lists the schemas that are possible at this path: several below a union, and none at an unknown path. */
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

/** The alternatives of a union, or the schema itself. */
function branchesOf(schema: JsonSchema): JsonSchema[] {
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return branches.length === 0 ? [schema] : branches.flatMap(branchesOf);
}

/** Describes what the schemas allow, in words that can follow "must be". */
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
  return all.length === 0 ? 'a value of another kind' : [...new Set(all)].join(', or ');
}

function oneOf(words: readonly unknown[]): string {
  const quoted = [...new Set(words.map((word) => `\`${String(word)}\``))];
  return quoted.length === 1 ? (quoted[0] ?? '') : `one of ${quoted.join(', ')}`;
}

/** Lists the fields of objects of these schemas, separated by commas; empty if they have no fields. */
export function fieldsOf(schemas: readonly JsonSchema[]): string {
  const fields = schemas.flatMap(({ properties }) => Object.keys(properties ?? {}));
  return [...new Set(fields)].map((field) => `\`${field}\``).join(', ');
}

function describeOne(schema: JsonSchema): string {
  const kind = typeof schema.type === 'string' ? KINDS[schema.type] : undefined;
  return kind === undefined ? 'an object' : kind(schema);
}

/** The size of an array. A tuple has exactly the items of its schema. */
function arraySizeOf({ prefixItems, minItems, maxItems }: JsonSchema): string {
  return prefixItems === undefined ? sizeOf(minItems, maxItems, 'item') : ` of ${counted(prefixItems.length, 'item')}`;
}

function sizeOf(least: number | undefined, most: number | undefined, unit: string): string {
  if (most === undefined) return (least ?? 0) > 0 ? ` of ${counted(least ?? 0, unit)} or more` : '';
  return least === undefined || least === 0
    ? ` of at most ${counted(most, unit)}`
    : ` of ${least} to ${counted(most, unit)}`;
}

/** The range of a number. The limits of safe integers are left out, because they say nothing to a caller. */
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
