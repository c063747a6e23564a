import assert from 'node:assert';
import { Schema, type mongo } from 'mongoose';

/** How Mongoose declares one path of a stored document, and the sentence that says what the path means. */
export type Path = {
  readonly type: unknown;
  readonly note: string;
  readonly required: boolean;
  /** False for a path that may be left out: it is left out and never null. */
  readonly allowNull?: false;
  readonly of?: unknown;
  readonly enum?: readonly string[];
  /** Mongoose would otherwise add an empty list where none was given. */
  readonly default?: undefined;
};

declare const VALUE: unique symbol;

/** A path whose value has exactly this type: a narrower or a wider one does not compile. */
export type Field<Value> = Valued<Value> & { readonly allowNull?: never };
/** A path that may be left out. */
export type Omissible<Value> = Valued<Value> & { readonly allowNull: false };
type Valued<Value> = Path & { readonly [VALUE]?: (value: Value) => Value };

/** Every path of a row and nothing else. A property that may be missing in the row may be left out by the document. */
export type Fields<Row> = {
  readonly [Name in keyof Row]-?: object extends Pick<Row, Name>
    ? Omissible<Exclude<Row[Name], undefined>>
    : Field<Row[Name]>;
};

const SCHEMA_OPTIONS = {
  versionKey: false,
  minimize: false,
  autoIndex: false,
  autoCreate: false,
  // Our rows have an `id` of their own.
  id: false,
  strict: 'throw',
  strictQuery: 'throw',
  // MongoDB itself validates what is stored.
  validateBeforeSave: false,
} as const;

/** The part of a Mongoose schema that we need. Its full type would make the compiler work through every row again. */
export type StoredSchema = {
  readonly obj: object;
  toJSONSchema(options: { readonly useBsonType: true }): object;
};

const MongooseSchema: new (definition: object, options: object) => StoredSchema = Schema;

/** The Mongoose schema of a whole document. */
export function schemaOf(fields: object): StoredSchema {
  return new MongooseSchema(fields, SCHEMA_OPTIONS);
}

/** The Mongoose schema of a part. */
export function partSchemaOf(fields: object): StoredSchema {
  return new MongooseSchema(fields, { ...SCHEMA_OPTIONS, _id: false });
}

/** A text. */
export function text(note: string): Field<string> {
  return { type: String, required: true, note };
}

/** An id of this kind. */
export function id<Prefix extends string>(_prefix: Prefix, note: string): Field<`${Prefix}_${string}`> {
  return { type: String, required: true, note };
}

/** One text of a closed list. */
export function oneOf<const Value extends string>(values: readonly Value[], note: string): Field<Value> {
  return { type: String, enum: values, required: true, note };
}

/** One text of a list that grows: the compiler knows the list, and the database takes any text. */
export function word<Value extends string>(note: string): Field<Value> {
  return { type: String, required: true, note };
}

/** A number: whole numbers and fractions are stored in several ways, and all of them fit. */
export function number(note: string): Field<number> {
  return { type: Number, required: true, note };
}

/** The option of every read of `whole64`. Without it the driver returns some values as numbers. */
export const EXACT = { useBigInt64: true } as const;

/** A whole number of 64 bits. It is a `bigint` in rows, and reads of it need the option `EXACT`. */
export function whole64(note: string): Field<bigint> {
  return { type: Schema.Types.BigInt, required: true, note };
}

export function flag(note: string): Field<boolean> {
  return { type: Boolean, required: true, note };
}

/** A date of the database, which a TTL index or the database's own clock needs. */
export function date(note: string): Field<Date> {
  return { type: Date, required: true, note };
}

/** Bytes. The driver reads them as a `Binary`. */
export function bytes<Value = Uint8Array>(note: string): Field<Value> {
  return { type: Buffer, required: true, note };
}

/** An id that the driver gives a document. */
export function objectId(note: string): Field<mongo.ObjectId> {
  return { type: Schema.Types.ObjectId, required: true, note };
}

/** A part with paths of its own. */
export function part<Value>(fields: Fields<Value>, note: string): Field<Value> {
  return { type: partSchemaOf(fields), required: true, note };
}

/** The schema of a path that is a part; otherwise null. */
export function partOf(path: Path | undefined): StoredSchema | null {
  const type: unknown = path?.type;
  return type instanceof MongooseSchema ? type : null;
}

/** The paths of a schema by their names. */
export function pathsOf(schema: StoredSchema | null): Readonly<Record<string, Path>> {
  return (schema?.obj ?? {}) as Readonly<Record<string, Path>>;
}

/** A list of values that all have the shape of `item`. */
export function list<Value>(item: Field<Value>, note: string): Field<readonly Value[]> {
  return { type: [item], required: true, default: undefined, note };
}

/** Values by names that the schema does not know. */
export function map<Value>(value: Field<Value>, note: string): Field<Readonly<Record<string, Value>>> {
  return { type: Map, of: value, required: true, note };
}

/** An object that the database does not look into. The note says why. */
export function whole<Value extends object>(note: string): Field<Value> {
  return { type: Map, of: Schema.Types.Mixed, required: true, note };
}

/** A value of one of these shapes. A path of theirs is never null, since Mongoose forgets that within a union. */
export function either<A, B, C = never>(
  fields: readonly [Field<A>, Field<B>, Field<C>?],
  note: string,
): Field<A | B | C> {
  for (const field of fields) {
    const paths = Object.values(pathsOf(partOf(field)));
    assert(
      paths.every(({ required, allowNull }) => required || allowNull === false),
      'no null inside of a union',
    );
  }
  return { type: Schema.Types.Union, of: fields, required: true, note };
}

/** The same path, which may be null. It is always there. */
export function maybe<Value>(field: Field<Value>): Field<Value | null> {
  return { ...field, required: false } as Field<Value | null>;
}

/** The same path, which may be left out. */
export function omissible<Value>(field: Field<Value>): Omissible<Value> {
  return { ...(field as Path), required: false, allowNull: false };
}
