import { AsyncLocalStorage } from 'node:async_hooks';
import type { AcrossTenants, Tenant } from '../../domain/tenant.ts';

/** How the rows of a collection belong to tenants. */
export type TenantRule = {
  /** The fields that every row of the tenant has, with their values. */
  readonly pins: (tenant: Tenant) => Readonly<Record<string, unknown>>;
  /** The fields by which one object is found. A filter that names such an object is narrowed to the tenant. */
  readonly keys: readonly string[];
  /** Pins that are null in rows of both modes. */
  readonly orNull?: readonly string[];
};

/** `isOver` is set when the work has ended. A loop that it has started then works for the system. */
type Scope = { readonly tenant: Tenant | null; isOver: boolean };

const scopes = new AsyncLocalStorage<Scope>();

/** A use of a tenant's collection that would leave the tenant. It is always a mistake of the server. */
export class TenantLeft extends Error {
  override readonly name = 'TenantLeft';
}

/**
 * Runs work that may touch only rows of this tenant, whatever it asks the database. A filter that names an object is
 * narrowed, so the objects of others are absent. Any other filter must name the tenant.
 * @throws TenantLeft if it does not, or if a row of another tenant would be stored
 */
export async function withinTenant<T>(tenant: Tenant, work: () => Promise<T> | T): Promise<T> {
  const scope: Scope = { tenant, isOver: false };
  try {
    return await scopes.run(scope, work);
  } finally {
    scope.isOver = true;
  }
}

/** Starts a query that may leave the tenant, for a reason of the table. */
export function acrossTenants<T>(_reason: AcrossTenants, query: () => T): T {
  return scopes.run({ tenant: null, isOver: false }, query);
}

/** The tenant to which the present work is confined; null if it may work across tenants. */
export function presentTenant(): Tenant | null {
  const scope = scopes.getStore();
  return scope === undefined || scope.isOver ? null : scope.tenant;
}
