import { z } from 'zod';
import { describeSchema, fieldsOf, schemaAt, type JsonSchema } from './describe-schema.ts';
import { Refusal, type FieldError } from './refusals.ts';
import { counted, showText } from './shown-text.ts';

export type SchemaIssue = {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  /** The issues of each branch of a union, if no branch matched. */
  readonly errors?: readonly (readonly SchemaIssue[])[];
  /** The issues of an invalid key of a record. */
  readonly issues?: readonly SchemaIssue[];
  readonly params?: Readonly<Record<string, unknown>> | undefined;
};

/**
 * Marks a check in code whose rule the JSON schema of the field states as well. A value that breaks it does not fit the
 * schema (400). A value that breaks any other check fits the schema and is still impossible (422); see ADR 66.
 */
export const STATED = { params: { stated: true } } as const;

/** Most errors in one answer. */
const MOST_ERRORS = 20;
/** Most characters that an answer repeats of a name, word or time of the caller. */
const MOST_QUOTED = 40;
/** The beginning of a message that a schema has written itself. Other messages are made from the schema. */
const OWN_WORDS = /^must /;
/** The end of a message that says what the value is. */
const SAYS_FACT = /; it (?:is|has) /;
/** The pattern of a currency or a country: a few upper-case letters. */
const CODE = /^\^\[A-Z\]\{\d\}\$$/;

/**
 * Turns the issues of a schema into a refusal. Each error names the field, the allowed values and what the request
 * contains. The code is `unknown_field` if all errors are unknown fields, and `impossible_value` if the request fits the JSON
 * schema, which then does not state the broken rules.
 * @param value the value before it was parsed
 */
export function refuseSchema(schema: z.ZodType, value: unknown, issues: readonly SchemaIssue[]): Refusal {
  const wrong = issues.flatMap(explode).slice(0, MOST_ERRORS);
  const root = jsonOf(schema);
  const found = wrong.map((issue) => fieldError(root, value, issue));
  // A number that is too large breaks two rules, and is still one field.
  const errors = found.filter(({ pointer }, index) => found.findIndex((other) => other.pointer === pointer) === index);
  return new Refusal(codeOf(wrong), { detail: summaryOf(errors), errors });
}

function codeOf(wrong: readonly Flat[]): 'unknown_field' | 'impossible_value' | 'invalid_params' {
  if (wrong.every(({ code }) => code === 'unknown_field')) return 'unknown_field';
  return wrong.every(({ code, isStated }) => code === 'custom' && !isStated) ? 'impossible_value' : 'invalid_params';
}

/**
 * Refuses unknown fields before the schema reads any value. Such a request is a mistake or an attack, and it is cheapest
 * to refuse it here. The search stops at the last field that the answer can name.
 */
export function refuseUnknown(schema: z.ZodType, value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const fields = closedFieldsOf(schema);
  if (fields === null) return;
  const unknown: string[] = [];
  for (const key of Object.keys(value)) {
    if (!fields.has(key)) unknown.push(key);
    if (unknown.length === MOST_ERRORS) break;
  }
  if (unknown.length === 0) return;
  throw refuseSchema(schema, value, [{ code: 'unrecognized_keys', path: [], keys: unknown, message: '' }]);
}

const closed = new WeakMap<z.ZodType, ReadonlySet<string> | null>();

/** The fields that this schema allows; null if it also allows unknown fields. */
function closedFieldsOf(schema: z.ZodType): ReadonlySet<string> | null {
  const made = closed.get(schema);
  if (made !== undefined) return made;
  const branches = schemaAt(jsonOf(schema), []);
  const isClosed = branches.every(({ additionalProperties }) => additionalProperties === false);
  const fields = isClosed ? new Set(branches.flatMap(({ properties }) => Object.keys(properties ?? {}))) : null;
  closed.set(schema, fields);
  return fields;
}

function summaryOf([first, ...others]: readonly FieldError[]): string {
  const message = first?.message ?? 'The request is invalid.';
  if (others.length === 0) return message;
  return `${message} ${others.length} more ${others.length === 1 ? 'field is' : 'fields are'} invalid; see \`errors\`.`;
}

const known = new WeakMap<z.ZodType, JsonSchema>();

/** The JSON schema of a schema, made at its first use. */
function jsonOf(schema: z.ZodType): JsonSchema {
  const made = known.get(schema) ?? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  known.set(schema, made);
  return made;
}

type Flat = {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly isStated: boolean;
};

/** Makes one issue for each invalid field. For a union it takes the issues of the branch that the caller meant. */
function explode({
  code = 'invalid',
  path,
  message,
  keys = [],
  errors = [],
  issues = [],
  params,
}: SchemaIssue): Flat[] {
  const isStated = params?.['stated'] === true;
  if (code === 'unrecognized_keys') {
    return keys
      .slice(0, MOST_ERRORS)
      .map((key) => ({ code: 'unknown_field', path: [...path, key], message, isStated }));
  }
  const inner = code === 'invalid_union' ? nearestBranch(errors) : undefined;
  if (inner !== undefined) return inner.flatMap((issue) => explode({ ...issue, path: [...path, ...issue.path] }));
  return [{ code, path, message: issues[0]?.message ?? message, isStated }];
}

/** The branch of a union that the caller most likely meant: of the right type, and with the fewest unknown keys. */
function nearestBranch(branches: readonly (readonly SchemaIssue[])[]): readonly SchemaIssue[] | undefined {
  const unknownKeys = (issues: readonly SchemaIssue[]): number =>
    issues.reduce((count, { keys }) => count + (keys?.length ?? 0), 0);
  return branches
    .filter((issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0))
    .toSorted((a, b) => unknownKeys(a) - unknownKeys(b) || a.length - b.length)[0];
}

function fieldError(root: JsonSchema, value: unknown, { code, path, message }: Flat): FieldError {
  const pointer = pointerOf(path);
  const subject = pointer === '' ? 'The body' : `\`${pointer}\``;
  const found = valueAt(value, path);
  const places = schemaAt(root, code === 'unknown_field' ? path.slice(0, -1) : path);
  if (code === 'unknown_field') {
    const fields = fieldsOf(places);
    const rule = fields === '' ? 'no fields are allowed here' : `the allowed fields are ${fields}`;
    return { pointer, code, message: `${subject} must be left out: ${rule}.` };
  }
  const rule = `${subject} must be ${describeSchema(places)}; it is ${describeValue(found, places)}.`;
  return { pointer, code, message: OWN_WORDS.test(message) ? inOwnWords(subject, message, found, places) : rule };
}

/** Uses the message of the schema. It may concern only a part of an object or array, or say itself what is wrong. */
function inOwnWords(subject: string, rule: string, found: unknown, places: readonly JsonSchema[]): string {
  const saysAll = (typeof found === 'object' && found !== null) || SAYS_FACT.test(rule);
  return saysAll ? `${subject} ${rule}.` : `${subject} ${rule}; it is ${describeValue(found, places)}.`;
}

/** The JSON pointer of a field, with long names shortened. */
export function pointerOf(path: readonly PropertyKey[]): string {
  const parts = path.map((part) => showText(String(part), MOST_QUOTED));
  return parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) {
    // A single object may stand for a list of one.
    if (key === 0 && typeof found === 'object' && !Array.isArray(found)) continue;
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<PropertyKey, unknown>)[key];
  }
  return found;
}

/** Describes a value of the request. It repeats text of the caller only for listed words, numbers, codes, times and dates. */
function describeValue(value: unknown, places: readonly JsonSchema[]): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return `an array of ${counted(value.length, 'item')}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (value === '') return 'empty';
  // JSON would write a number that is too large for JavaScript as null.
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return JSON.stringify(value) ?? typeof value;
  return places.some(isShown)
    ? `"${showText(value, MOST_QUOTED)}"`
    : `a string of ${counted(value.length, 'character')}`;
}

function isShown({ enum: words, const: word, pattern = '', format, type }: JsonSchema): boolean {
  const isListed = words !== undefined || word !== undefined;
  return (
    isListed ||
    CODE.test(pattern) ||
    format === 'date-time' ||
    format === 'date' ||
    type === 'number' ||
    type === 'integer'
  );
}
