import type { mongo } from 'mongoose';
import type { Shape } from '../shapes/shape.ts';
import { presentTenant, TenantLeft, type TenantRule } from './tenants.ts';

type Doc = Readonly<Record<string, unknown>>;
/** The rule of a collection for the tenant of the present work. */
type Confines = { readonly name: string; readonly rule: TenantRule; readonly pins: Doc };

/** The kinds of the arguments of each method, in order. In the work of a tenant no other method may be called. */
const ARGUMENTS: Readonly<Record<string, readonly Role[]>> = {
  find: ['filter'],
  findOne: ['filter'],
  findOneAndDelete: ['filter'],
  findOneAndReplace: ['filter', 'row'],
  findOneAndUpdate: ['filter'],
  updateOne: ['filter'],
  updateMany: ['filter'],
  replaceOne: ['filter', 'row'],
  deleteOne: ['filter'],
  deleteMany: ['filter'],
  countDocuments: ['filter'],
  distinct: ['as it is', 'filter'],
  aggregate: ['stages'],
  insertOne: ['row'],
  insertMany: ['rows'],
  // The methods of records.
  change: ['filter'],
  insert: ['row'],
  put: ['row'],
};
/** The names and rules of the confined collections, for work that is done for several requests at once. */
const CONFINED = new WeakMap<object, Omit<Confines, 'pins'>>();

type Role = 'filter' | 'row' | 'rows' | 'stages' | 'as it is';

/**
 * The same collection, or the same records. In the work of a tenant, each call is confined to the rows of the tenant.
 * @throws TenantLeft from its methods, if a call cannot be confined
 */
export function confine<T extends object>(rows: T, { name, tenant: rule }: Pick<Shape<unknown>, 'name' | 'tenant'>): T {
  if (rule === undefined) return rows;
  const guarded = new Proxy(rows, {
    get: (target, member) => {
      const method: unknown = Reflect.get(target, member, target);
      if (typeof method !== 'function') return method;
      return (...given: readonly unknown[]): unknown => {
        const tenant = presentTenant();
        const call = (args: readonly unknown[]): unknown => Reflect.apply(method, target, args);
        return tenant === null
          ? call(given)
          : confineCall({ name, rule, pins: rule.pins(tenant) }, member, given, call);
      };
    },
  });
  CONFINED.set(guarded, { name, rule });
  return guarded;
}

function confineCall(
  confines: Confines,
  method: string | symbol,
  given: readonly unknown[],
  call: (given: readonly unknown[]) => unknown,
): unknown {
  const roles = ARGUMENTS[String(method)];
  if (roles === undefined)
    throw new TenantLeft(`\`${String(method)}\` on ${confines.name} cannot be confined to a tenant`);
  if (method === 'findOne' && isByKeyAlone(given)) return hideForeign(confines, call(given) as Promise<Doc | null>);
  const confined = roles.map((role, index) => confineArgument(confines, role, given[index]));
  return call([...confined, ...given.slice(roles.length)]);
}

/** Says whether a read asks for one whole row by `_id`. The database is faster at it than at any narrowed read. */
function isByKeyAlone([filter, options]: readonly unknown[]): boolean {
  const { _id: key, ...others } = (filter ?? {}) as Doc;
  const shown = Object.values(((options ?? {}) as { readonly projection?: Doc }).projection ?? {});
  return typeof key === 'string' && Object.keys(others).length === 0 && shown.every((value) => value === 0);
}

async function hideForeign(confines: Confines, found: Promise<Doc | null>): Promise<Doc | null> {
  const row = await found;
  return row !== null && isOwn(confines, row) ? row : null;
}

function isOwn({ pins }: Confines, row: Doc): boolean {
  return Object.entries(pins).every(([field, value]) => row[field] === value);
}

/** The rule of a confined collection for the present work; null if that may work across tenants. */
function confinesOf(rows: object): Confines | null {
  const [confined, tenant] = [CONFINED.get(rows), presentTenant()];
  return confined === undefined || tenant === null ? null : { ...confined, pins: confined.rule.pins(tenant) };
}

/** The row of a confined collection, as the present work may find it: null if it belongs to another tenant. */
export function ownRowOf<Row extends object>(rows: object, row: Row | null): Row | null {
  const confines = confinesOf(rows);
  return row === null || confines === null || isOwn(confines, row as Doc) ? row : null;
}

/** @throws TenantLeft if the present work may not store this row in the confined collection */
export function refuseForeignRow(rows: object, row: object): void {
  const confines = confinesOf(rows);
  if (confines !== null) refuseForeign(confines, row as Doc);
}

function confineArgument(confines: Confines, role: Role, given: unknown): unknown {
  switch (role) {
    case 'filter':
      return narrow(confines, (given ?? {}) as Doc);
    case 'row':
      refuseForeign(confines, given as Doc);
      return given;
    case 'rows':
      for (const row of given as readonly Doc[]) refuseForeign(confines, row);
      return given;
    case 'stages': {
      const [first = {}, ...rest] = (given ?? []) as readonly Doc[];
      return [{ ...first, $match: narrow(confines, (first['$match'] ?? {}) as Doc) }, ...rest];
    }
    case 'as it is':
      return given;
  }
}

/** The filter, confined to the tenant. It is the same filter if it names the tenant already. */
function narrow(confines: Confines, filter: Doc): mongo.Filter<mongo.Document> {
  const { name, rule, pins } = confines;
  if (isPinned(confines, filter)) return filter;
  if (rule.keys.some((key) => conditionsOn(filter, key).some(namesObjects))) return { $and: [filter, pins] };
  const fields = Object.keys(pins).join(' and ');
  throw new TenantLeft(`a query on ${name} in the work of a tenant must name ${fields}, or an object`);
}

function isPinned({ rule: { orNull = [] }, pins }: Confines, filter: Doc): boolean {
  return Object.entries(pins).every(([field, value]) => {
    const allowed = orNull.includes(field) ? [value, null] : [value];
    return conditionsOn(filter, field).some((condition) => {
      const values = listedIn(condition) ?? [condition];
      return values.every((one) => allowed.includes(one as never));
    });
  });
}

/** All conditions on a field that every found row meets. */
function conditionsOn(filter: Doc, field: string): readonly unknown[] {
  const parts = (filter['$and'] ?? []) as readonly Doc[];
  const own = field in filter ? [filter[field]] : [];
  return [...own, ...parts.flatMap((part) => conditionsOn(part, field))];
}

function namesObjects(condition: unknown): boolean {
  return typeof condition === 'string' || listedIn(condition) !== null;
}

/** The values of `$in`; null for any other condition. */
function listedIn(condition: unknown): readonly unknown[] | null {
  if (typeof condition !== 'object' || condition === null || !('$in' in condition)) return null;
  return Array.isArray(condition.$in) ? condition.$in : null;
}

function refuseForeign({ name, rule: { orNull = [] }, pins }: Confines, row: Doc): void {
  for (const [field, value] of Object.entries(pins)) {
    const isShared = orNull.includes(field) && (row[field] ?? null) === null;
    // A row that replaces another one gets its key.
    const hasNoKey = field === '_id' && row['_id'] === undefined;
    if (!isShared && !hasNoKey && row[field] !== value)
      throw new TenantLeft(`a row of ${name} must have the ${field} of its tenant`);
  }
}
