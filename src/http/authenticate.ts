import type { Request } from 'express';
import { refuseMissingScope, type Caller, type Scope, type StaffRole } from '../domain/access.ts';
import { anyOf, Refusal, refuseCaller } from '../domain/refusals/refusals.ts';
import type { Credentials } from '../ports/access.ts';
import type { Allowed } from './policy.ts';

const BEARER = /^bearer +([\x21-\x7e]{1,4096})$/i;

/**
 * Authenticates the caller and checks the policy of the row. Returns null if anyone may call.
 * Refuses `unauthorized` or `token_expired` (401), `forbidden` (403), `courier_not_found` (404).
 */
export async function admit(
  credentials: Credentials,
  { allowed, scope }: { readonly allowed: Allowed; readonly scope: Scope | null },
  req: Request,
): Promise<Caller | null> {
  if (allowed.anyone === true) return null;
  const token = bearerOf(req);
  if (token === undefined)
    throw new Refusal('unauthorized', {
      detail: 'The header `Authorization` must be `Bearer`, followed by the credential.',
    });
  const caller = await credentials.authenticate(token);
  const id = req.params['id'];
  authorise(allowed, caller, { id: typeof id === 'string' ? id : undefined, scope });
  return caller;
}

/** The credential in the header `Authorization`; undefined if it is missing or malformed. */
export function bearerOf(req: Request): string | undefined {
  return BEARER.exec(req.get('authorization') ?? '')?.[1];
}

/**
 * Refuses callers whom the policy does not allow: `forbidden` for the wrong kind of caller or role,
 * `insufficient_scope` for a key without the scope, and
 * `courier_not_found` if a courier names another courier. Whose object it is (`own`) is checked when it is read.
 * @param asked the id in the path, as sent, and the scope that the route demands of an API key
 */
function authorise(
  allowed: Allowed,
  caller: Caller,
  { id, scope }: { readonly id: string | undefined; readonly scope: Scope | null },
): void {
  switch (caller.type) {
    case 'vendor':
    case 'internal':
      if (allowed[caller.type] === undefined) throw refuseCaller(caller.type, Object.keys(allowed));
      if (caller.type === 'vendor' && scope !== null) refuseMissingScope(caller.scopes, scope);
      return;
    case 'staff':
      if (allowed.staff === undefined) throw refuseCaller(caller.type, Object.keys(allowed));
      refuseOtherRoles(allowed.staff, caller.roles);
      return;
    case 'courier':
      if (allowed.courier === undefined) throw refuseCaller(caller.type, Object.keys(allowed));
      if (allowed.courier === 'self' && id !== undefined && id !== caller.courierId)
        throw new Refusal('courier_not_found');
      return;
    case 'recipient':
      throw refuseCaller(caller.type, Object.keys(allowed));
  }
}

function refuseOtherRoles(allowed: NonNullable<Allowed['staff']>, roles: readonly StaffRole[]): void {
  if (allowed === 'any' || roles.some((role) => allowed.includes(role))) return;
  const detail = `Only staff with the role ${anyOf(allowed)} may do this. This caller has ${anyOf(roles)}.`;
  throw new Refusal('forbidden', { detail });
}
