import { openapi } from '../src/http/openapi/openapi.ts';
import { ROUTES } from '../src/http/routes.ts';
import { printComment, printType, type Schema, type Side } from './print-type.ts';

type Content = { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
};
type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly [string];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content>>;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const NOTE =
  '// `npm run docs` generates this file from the schemas of the server and overwrites all changes. // one table';
/** The words of a section that its methods leave out: `createDelivery` is `deliveries.create`. */
const NOUNS: Readonly<Record<string, readonly string[]>> = {
  express: ['Express', 'Delivery', 'Deliveries'],
  deliveries: ['Delivery', 'Deliveries'],
  tracking: ['Delivery', 'Tracking'],
  couriers: ['Courier'],
  vendor: ['Vendor', 'Vendors'],
  webhooks: ['Webhook', 'Webhooks'],
};
const SECTIONS: Readonly<Record<string, string>> = { 'Sign-in': 'auth' };
const SHORT = 60;

/** The types and the table of operations of the client in `packages/client`, by file name. */
export function clientCode(): Record<string, string> {
  const document = openapi() as Document;
  const types = createTypes(document.components.schemas);
  const sections = new Map<string, Method[]>();
  for (const row of ROUTES) {
    if (row.kind === 'page') continue;
    const [verb = '', path = ''] = row.route.split(' ');
    const operation = document.paths[path]?.[verb.toLowerCase()];
    if (operation === undefined) throw new Error(`${row.route} is not in the document`);
    const [tag] = operation.tags;
    const section = SECTIONS[tag] ?? tag.toLowerCase();
    const methods = sections.get(section) ?? [];
    sections.set(section, [...methods, methodOf(row.route, section, operation, types)]);
  }
  for (const [section, methods] of sections) refuseTwins(section, methods);
  return { 'operations.ts': printOperations(sections, types.names()), 'types.ts': `${NOTE}\n\n${types.text()}` };
}

type AnswerKind = 'empty' | 'object' | 'page' | 'pages';

type Method = { readonly name: string; readonly row: string; readonly type: string; readonly comment: string };

type Types = {
  /** The name of this type, or the type itself if it is short. */
  use(schema: Schema, side: Side, name: string): string;
  names(): readonly string[];
  text(): string;
};

/** Names types, and prints each only once. */
function createTypes(components: Readonly<Record<string, Schema>>): Types {
  const byText = new Map<string, string>();
  const printed = new Map<string, string>();
  const declare = (name: string, text: string, description = ''): string => {
    byText.set(text, name);
    printed.set(name, `${printComment([description], '')}export type ${name} = ${text};\n`);
    return name;
  };
  for (const [name, schema] of Object.entries(components)) {
    declare(name, printType(schema, /^New|Changes$/.test(name) ? 'input' : 'output'), schema.description);
  }
  declare('ProblemCode', "Problem['code']");
  return {
    use: (schema, side, name) => {
      const text = printType(schema, side);
      if (!text.includes('{') && text.length <= SHORT) return text;
      const known = byText.get(text);
      if (known !== undefined) return known;
      const kind: unknown = schema.properties?.['object']?.const;
      const own = side === 'output' && typeof kind === 'string' ? pascal(kind) : name;
      return declare(printed.has(own) ? name : own, text, schema.description);
    },
    names: () => [...printed.keys()],
    text: () => [...printed.values()].join('\n'),
  };
}

function methodOf(route: string, section: string, operation: Operation, types: Types): Method {
  const { operationId: id, parameters = [], requestBody } = operation;
  const form = requestBody?.content?.['multipart/form-data'];
  const body = (form ?? requestBody?.content?.['application/json'])?.schema;
  const query = queryOf(operation);
  const answer = answerOf(operation);
  const answers = kindOf(answer, parameters);
  const ids = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const takes = [
    ...(body === undefined ? [] : [form === undefined ? 'json' : 'form']),
    ...(query === null ? [] : ['query']),
  ];
  const row = [
    `route: '${route}'`,
    ...takes.map((kind) => `${kind === 'query' ? 'query' : 'body'}: ${kind === 'query' ? 'true' : `'${kind}'`}`),
    ...(answers === 'object' ? [] : [`answer: '${answers}'`]),
    ...(parameters.some(({ name }) => name === 'Idempotency-Key') ? ['keyed: true'] : []),
  ];
  const name = shorten(id, section);
  const inputs = [
    ...ids.map((one) => `${camel(one)}: ${one === 'stop' ? 'string | number' : 'string'}`),
    ...(body === undefined
      ? []
      : [`body${requestBody?.required === false ? '?' : ''}: ${types.use(body, 'input', `${pascal(id)}Body`)}`]),
    ...(query === null
      ? []
      : [`query${(query.required ?? []).length === 0 ? '?' : ''}: ${types.use(query, 'input', `${pascal(id)}Query`)}`]),
    'options?: CallOptions',
  ];
  const type = `(${inputs.join(', ')}) => ${resultOf(answer, answers, id, types)}`;
  return {
    name,
    row: `    ${name}: { ${row.join(', ')} },`,
    type: `    readonly ${name}: ${type};`,
    comment: printComment([`${operation.summary}.`, `\`${route}\``], '    '),
  };
}

/** The query as one object. `format` of tables is left out, because the client reads JSON. */
function queryOf({ parameters = [], responses }: Operation): Schema | null {
  const isTable = Object.values(responses).some(({ content = {} }) => 'text/csv' in content);
  const asked = parameters.filter(({ name, in: place }) => place === 'query' && !(isTable && name === 'format'));
  if (asked.length === 0) return null;
  return {
    type: 'object',
    properties: Object.fromEntries(
      asked.map(({ name, schema, description = '' }) => [name, { ...schema, description }]),
    ),
    required: asked.filter(({ required }) => required).map(({ name }) => name),
  };
}

function answerOf({ responses }: Operation): Schema | null {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'));
  return success?.[1].content?.['application/json']?.schema ?? null;
}

/** A list without a cursor has one page only. */
function kindOf(answer: Schema | null, parameters: readonly Parameter[]): AnswerKind {
  if (answer === null) return 'empty';
  if (answer.properties?.['next_cursor'] === undefined) return 'object';
  return parameters.some(({ name }) => name === 'cursor') ? 'pages' : 'page';
}

function resultOf(answer: Schema | null, kind: AnswerKind, id: string, types: Types): string {
  if (answer === null) return 'Promise<void>';
  const items = answer.properties?.['data']?.items;
  if (kind === 'object' || items === undefined || items === false)
    return `Promise<${types.use(answer, 'output', `${pascal(id)}Answer`)}>`;
  const item = types.use(items, 'output', `${pascal(id.replace(/^list/, ''))}Item`);
  return kind === 'pages' ? `Pages<${item}>` : `Promise<Page<${item}>>`;
}

function printOperations(sections: ReadonlyMap<string, readonly Method[]>, names: readonly string[]): string {
  const rows = [...sections].map(
    ([section, methods]) => `  ${section}: {\n${methods.map(({ row }) => `${row}\n`).join('')}  },\n`,
  );
  const types = [...sections].map(
    ([section, methods]) =>
      `  readonly ${section}: {\n${methods.map(({ comment, type }) => `${comment}${type}\n`).join('')}  };\n`,
  );
  const text = types.join('');
  const used = names.filter((name) => new RegExp(String.raw`\b${name}\b`).test(text));
  return [
    NOTE,
    "import type { Page, Pages } from '../pages.ts';",
    "import type { CallOptions } from '../transport.ts';",
    `import type {\n${used.map((name) => `  ${name},\n`).join('')}} from './types.ts';`,
    '',
    '/** The request of each method. */',
    `export const OPERATIONS = {\n${rows.join('')}} as const;`,
    '',
    '/** The methods of the client, by section. */',
    `export type Operations = {\n${text}};`,
    '',
  ].join('\n');
}

function refuseTwins(section: string, methods: readonly Method[]): void {
  const names = methods.map(({ name }) => name);
  const twin = names.find((name, at) => names.indexOf(name) !== at);
  if (twin !== undefined) throw new Error(`two operations of the client are called ${section}.${twin}`);
}

function shorten(id: string, section: string): string {
  const [verb = '', ...words] = id.split(/(?=[A-Z])/);
  return [verb, ...words.filter((word) => NOUNS[section]?.includes(word) !== true)].join('');
}

/** `courier_metrics` and `courier.metrics` are `CourierMetrics`. */
function pascal(name: string): string {
  return name.replaceAll(/(?:^|[._])([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

function camel(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}
