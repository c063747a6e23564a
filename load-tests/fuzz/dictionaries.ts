// Values that make requests succeed: ids of stored objects, places in the demo's city and possible phone numbers. They
// are configuration of the run. The document stays as the server serves it.
import { DEAD_RECEIVER, type World } from './world.ts';

export type JsonSchema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
};

type Body = { readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>> };

export type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[];
  readonly requestBody?: Body;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
};

export type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
};

type Place = { readonly lat: number; readonly lng: number };
type Values = readonly (string | number)[];

/** The share of cases that take a value of a dictionary. The others keep their random one. */
const SHARE = 0.85;
/** Random addresses of webhooks would lead to hosts of strangers. */
const ALWAYS = 1;
const ID = /^\^([a-z]{3})_\[/;
const STEP = 0.001;

/** The operations of a document. */
export function operationsOf(document: OpenApi): { method: string; path: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

/** The part of a `schemathesis.toml` that binds the fields of all operations to values of this world. */
export function bindingsOf(document: OpenApi, world: World, center: Place): string {
  const named = dictionariesOf(world, center);
  const lines = Object.entries(named).map(
    ([name, values]) => `[dictionaries.${name}]\nvalues = ${JSON.stringify(values)}`,
  );
  const operations = operationsOf(document).flatMap(({ method, path, operation }) => {
    const isRead = method === 'get';
    const parameters = (operation.parameters ?? []).map(({ name, in: place, schema }) => {
      const wanted = name === 'token' && path.startsWith('/t/') ? 'tokens' : dictionaryFor(name, schema, isRead);
      return [`${place}.${name}`, wanted] as const;
    });
    const json = operation.requestBody?.content?.['application/json']?.schema;
    const fields = json === undefined ? [] : fieldsOf(document, json, 'body', []);
    const body = fields.map(({ at, name, schema }) => [at, dictionaryFor(name, schema, isRead)] as const);
    const bound = new Map([...parameters, ...body].filter(([, wanted]) => wanted !== null && wanted in named));
    if (bound.size === 0) return [];
    const rows = [...bound].map(([at, wanted]) => {
      return `"${at}" = { dictionary = "${wanted}", probability = ${wanted === 'url' ? ALWAYS : SHARE} }`;
    });
    return [
      `[[operations]]\ninclude-operation-id = "${operation.operationId}"\n\n[operations.parameters]\n${rows.join('\n')}`,
    ];
  });
  return `${[...lines, ...operations].join('\n\n')}\n`;
}

function dictionariesOf({ used, kept, tokens }: World, { lat, lng }: Place): Record<string, Values> {
  const near = (middle: number): number[] => [0, 1, 2, 3, 4].map((steps) => middle + STEP * steps);
  return Object.fromEntries(
    [
      ...Object.entries(used).map(([prefix, ids]) => [`used_${prefix}`, ids] as const),
      ...Object.entries(kept).map(([prefix, ids]) => [`kept_${prefix}`, ids] as const),
      ['tokens', tokens] as const,
      ['lat', near(lat)] as const,
      ['lng', near(lng)] as const,
      ['phone', ['+493012345678', '+4915112345678', '+442079460018', '+33142685300']] as const,
      ['stop', ['0', '1']] as const,
      ['url', [DEAD_RECEIVER]] as const,
    ].filter(([, values]) => values.length > 0),
  );
}

/** The dictionary of a field by its name or the pattern of its ids; null if random values are good enough. */
function dictionaryFor(name: string, { pattern = '' }: JsonSchema, isRead: boolean): string | null {
  const prefix = ID.exec(pattern)?.[1];
  if (prefix === undefined) return ['lat', 'lng', 'phone', 'stop', 'url'].includes(name) ? name : null;
  // A body names objects that the request uses, and a path the object that it changes.
  const isOwner = name.endsWith('_id');
  return `${isRead || isOwner ? 'kept' : 'used'}_${prefix}`;
}

type Field = { readonly at: string; readonly name: string; readonly schema: JsonSchema };

/** Every field of a body, in the path syntax of Schemathesis. */
function fieldsOf(document: OpenApi, schema: JsonSchema, at: string, above: readonly string[]): Field[] {
  if (schema.$ref !== undefined) {
    if (above.includes(schema.$ref)) return [];
    const target = document.components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {};
    return fieldsOf(document, target, at, [...above, schema.$ref]);
  }
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [
    ...branches.flatMap((branch) => fieldsOf(document, branch, at, above)),
    ...(schema.items === undefined ? [] : fieldsOf(document, schema.items, `${at}[*]`, above)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
      { at: `${at}.${name}`, name, schema: field },
      ...fieldsOf(document, field, `${at}.${name}`, above),
    ]),
  ];
}
