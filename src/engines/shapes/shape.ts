import assert from 'node:assert';
import type { mongo } from 'mongoose';
import type { TenantRule } from '../tenants/tenants.ts';
import { schemaOf, type Fields, type Path, type StoredSchema } from './fields.ts';

declare const ROW: unique symbol;

/** The one description of a collection: its documents and how they are kept. `Row` is the type of a document. */
export type Shape<Row> = {
  readonly name: string;
  /** The meaning of one document. */
  readonly holds: string;
  /** How long documents are kept. */
  readonly kept: string;
  /** The key that the collection is sharded by on a cluster; null for a small collection that stays whole. */
  readonly shardKey: Readonly<Record<string, 1 | 'hashed'>> | null;
  readonly indexes: readonly mongo.IndexDescription[];
  /** How rows belong to tenants; absent if they belong to none, or only through another object. */
  readonly tenant?: TenantRule;
  /** One schema, or one for each kind of document by the `_id` of that kind. */
  readonly schemas: Readonly<Record<string, StoredSchema>>;
  /** A condition of MongoDB that every document meets besides its paths, as an expression. */
  readonly rule?: mongo.Document;
  /** How documents of the release before differ. Its processes may still write during an update. */
  readonly before?: Before;
  readonly [ROW]?: (row: Row) => Row;
};

/** The differences of an older form of a document. */
export type Before = {
  /** Paths that it may lack, with dots between the names of parts. */
  readonly lacks: readonly string[];
  /** Paths that only it has. */
  readonly has?: Readonly<Record<string, Path>>;
};

/** A collection of any rows. */
export type AnyShape = Omit<Shape<unknown>, typeof ROW>;

type Base = Omit<AnyShape, 'schemas'>;

/** The name of the one schema of a collection without kinds. */
const ONLY = '';

/** A collection whose documents all have the same paths. */
export function shape<Row>({ fields, ...base }: Base & { readonly fields: Fields<Row> }): Shape<Row> {
  return { ...base, schemas: { [ONLY]: schemaOf(fields) } };
}

/** A collection whose documents are of several kinds, which their `_id` tells apart. */
export function shapeOfKinds<Row extends { readonly _id: string }>({
  kinds,
  ...base
}: Base & { readonly kinds: { readonly [R in Row as R['_id']]: Fields<R> } }): Shape<Row> {
  const schemas = Object.entries<object>(kinds).map(([kind, fields]) => [kind, schemaOf(fields)] as const);
  return { ...base, schemas: Object.fromEntries(schemas) };
}

/** The same collection, of which only the document of this kind is read and written. */
export function kindOf<Row extends { readonly _id: string }, Id extends Row['_id']>(
  { schemas, ...base }: Shape<Row>,
  _id: Id,
): Shape<Extract<Row, { readonly _id: Id }>> {
  const schema = schemas[_id];
  assert(schema !== undefined, `the collection ${base.name} has documents of the kind ${_id}`);
  const { name, holds, kept, shardKey, indexes } = base;
  return { name, holds, kept, shardKey, indexes, schemas: { [_id]: schema } };
}
