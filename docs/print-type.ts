/** The part of JSON Schema that the schemas of the server use. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly format?: string;
  readonly description?: string;
};

/** The side that makes the value. A caller may leave `undefined` in what they send, and pass arrays that they cannot change. */
export type Side = 'input' | 'output';

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/**
 * The TypeScript type of a JSON Schema. A reference becomes the name of the schema.
 * @throws Error for a schema of a form that no route uses yet
 */
export function printType(schema: Schema, side: Side, indent = ''): string {
  const { $ref: ref, type } = schema;
  if (ref !== undefined) return ref.slice(ref.lastIndexOf('/') + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return union(choices.map((choice) => printType(choice, side, indent)));
  if (typeof type === 'object') return union(type.map((one) => printType({ ...schema, type: one }, side, indent)));
  if (type === undefined) return 'unknown';
  if (type === 'object') return printObject(schema, side, indent);
  if (type === 'array') return printArray(schema, side, indent);
  if (schema.format === 'binary') return 'Blob';
  const plain = PLAIN[type];
  if (plain === undefined) throw new Error(`no type for ${JSON.stringify(schema)}`);
  return plain;
}

/** A comment from a description; nothing without one. */
export function printComment(lines: readonly string[], indent: string): string {
  const text = lines.filter((line) => line !== '').map((line) => line.replaceAll('*/', '*\\/'));
  if (text.length === 0) return '';
  if (text.length === 1) return `${indent}/** ${text[0] ?? ''} */\n`;
  return `${indent}/**\n${text.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

function union(types: readonly string[]): string {
  const different = [...new Set(types)];
  return different.includes('unknown') ? 'unknown' : different.join(' | ');
}

function printObject(schema: Schema, side: Side, indent: string): string {
  const { properties = {}, required = [], additionalProperties: further } = schema;
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, value]) => {
    const isOptional = !required.includes(name);
    const type = printType(value, side, inner);
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const mayBeUndefined = isOptional && side === 'input' && type !== 'unknown' ? ' | undefined' : '';
    return `${printComment([value.description ?? ''], inner)}${inner}${key}${isOptional ? '?' : ''}: ${type}${mayBeUndefined};\n`;
  });
  const rest = typeof further === 'object' ? printType(further, side, inner) : further === true ? 'unknown' : null;
  if (fields.length === 0) return rest === null ? 'Record<string, never>' : `Record<string, ${rest}>`;
  const open = rest === null ? '' : `${inner}[key: string]: unknown;\n`;
  return `{\n${fields.join('')}${open}${indent}}`;
}

function printArray({ items, prefixItems }: Schema, side: Side, indent: string): string {
  const readonly = side === 'input' ? 'readonly ' : '';
  if (prefixItems !== undefined)
    return `${readonly}[${prefixItems.map((item) => printType(item, side, indent)).join(', ')}]`;
  const item = items === undefined || items === false ? 'unknown' : printType(items, side, indent);
  return /^\w+$/.test(item) ? `${readonly}${item}[]` : `${readonly}(${item})[]`;
}
