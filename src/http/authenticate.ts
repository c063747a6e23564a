import type { Request } from 'express';
import type { Caller, Scope } from '../domain/access.ts';
import { Refusal } from '../domain/refusals/refusals.ts';
import type { Credentials } from '../ports/access.ts';
import { authorise, type Allowed } from './policy.ts';

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
