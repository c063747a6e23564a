import { partSchemaOf, type StoredSchema } from './fields.ts';
import type { AnyShape } from './shape.ts';

/** The part of a JSON schema that Mongoose writes and MongoDB reads. */
type Json = {
  readonly bsonType?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Json>>;
  readonly additionalProperties?: Json | false;
  readonly items?: Json;
  readonly anyOf?: readonly Json[];
};

/** The rule that MongoDB enforces for each document of a collection. */
export type Validator = {
  readonly $jsonSchema: Json & { readonly title: string };
  readonly $expr?: object;
};

/**
 * The validator of a collection: Mongoose's own JSON schemas of its documents, closed at every level. Documents of the
 * release before fit as well. The title carries the version, so that a process can tell a newer validator from its own.
 */
export function validatorOf(
  { schemas, before, rule }: Pick<AnyShape, 'schemas' | 'before' | 'rule'>,
  version: number,
): Validator {
  const older = jsonOf(partSchemaOf(before?.has ?? {})).properties ?? {};
  const shapes = Object.values(schemas).map((schema) => {
    const present = (before?.lacks ?? []).reduce((json, path) => lacking(json, path.split('.')), jsonOf(schema));
    return { ...present, properties: { ...present.properties, ...older } };
  });
  const [only = {}, ...more] = shapes;
  const $jsonSchema = { title: `${TITLE}${version}`, ...(more.length === 0 ? only : { anyOf: shapes }) };
  return rule === undefined ? { $jsonSchema } : { $jsonSchema, $expr: rule };
}

function jsonOf(schema: StoredSchema): Json {
  return closed(schema.toJSONSchema({ useBsonType: true }) as Json);
}

/** The same rules, where this path may be missing. */
function lacking(json: Json, [name = '', ...rest]: readonly string[]): Json {
  if (json.anyOf !== undefined) return { ...json, anyOf: json.anyOf.map((one) => lacking(one, [name, ...rest])) };
  const inner = json.properties?.[name];
  if (inner === undefined) return json;
  if (rest.length > 0) return { ...json, properties: { ...json.properties, [name]: lacking(inner, rest) } };
  return { ...json, required: (json.required ?? []).filter((one) => one !== name) };
}

const TITLE = 'shape version ';

/** The version of a validator that is stored; 0 for none. */
export function versionOf(stored: unknown): number {
  const title = (stored as Partial<Validator> | undefined)?.$jsonSchema?.title ?? '';
  return Number(title.slice(TITLE.length)) || 0;
}

/** Mongoose leaves objects open, and lets a path be missing that may be null: ours are always there. */
function closed(json: Json): Json {
  const { properties, items, additionalProperties, anyOf, ...rest } = json;
  if (anyOf !== undefined) return { ...rest, anyOf: anyOf.map(closed) };
  if (items !== undefined) return { ...rest, items: { ...closed(items), ...withoutNull(items) } };
  if (additionalProperties) return { ...rest, additionalProperties: closed(additionalProperties) };
  if (properties === undefined) return rest;
  const nullable = Object.keys(properties).filter((name) => isNullable(properties[name]));
  const required = [...new Set([...(rest.required ?? []), ...nullable])];
  return {
    bsonType: 'object',
    ...rest,
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(Object.entries(properties).map(([name, path]) => [name, closed(path)])),
    additionalProperties: false,
  };
}

function isNullable({ bsonType, anyOf = [] }: Json = {}): boolean {
  return [bsonType].flat().includes('null') || anyOf.some(isNullable);
}

/** A list has no holes, although Mongoose would allow them in a list of parts. */
function withoutNull({ bsonType }: Json): Json {
  const [only, ...more] = [bsonType].flat().filter((each) => each !== undefined && each !== 'null');
  return only === undefined || more.length > 0 ? {} : { bsonType: only };
}
