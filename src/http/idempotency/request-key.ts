import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { accountOf, type Caller } from '../../domain/access.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { RequestKey } from '../../ports/requests.ts';
import { uploadsOf } from '../bodies/read-upload.ts';
import type { Route } from '../policy.ts';
import { counted } from '../../domain/refusals/shown-text.ts';

const HEADER = 'Idempotency-Key';
const MOST_CHARACTERS = 255;
/** A quoted key is the same as a bare one. */
const SOUND = /^(?:"([\x21\x23-\x7e]+)"|([\x21\x23-\x7e][\x21-\x7e]*))$/;
/** The methods whose requests have an effect each time that they are sent. */
const KEYED: ReadonlySet<string> = new Set(['POST', 'PATCH']);

/** Says whether the route honours `Idempotency-Key`. A login has limits of its own, and its tokens are not stored. */
export function isKeyed(route: Route): boolean {
  const [method = '', path = ''] = route.split(' ');
  return KEYED.has(method) && !path.startsWith('/auth/');
}

/**
 * The request as its key names it; null without a key. Two requests are the same if account, method, path and key are
 * the same. Refuses `invalid_params` for a key of the wrong form.
 */
export function requestKeyOf(req: Request, caller: Caller | null): RequestKey | null {
  const given = req.get(HEADER);
  if (given === undefined) return null;
  const [, quoted, bare] = SOUND.exec(given) ?? [];
  const key = quoted ?? bare;
  if (key === undefined || key.length > MOST_CHARACTERS) throw malformed(given);
  const query = req.originalUrl.slice(req.path.length);
  const files = uploadsOf(req).map(({ field, content }) => [field, hash(content)]);
  return {
    id: hash(JSON.stringify([accountOf(caller), req.method, req.path, key])),
    fingerprint: hash(JSON.stringify([query, canonical(req.body ?? {}), files, scopesOf(caller)])),
  };
}

function malformed(given: string): Refusal {
  const detail =
    `\`${HEADER}\` must have 1 to ${MOST_CHARACTERS} visible ASCII characters and no spaces, bare or in double quotes. ` +
    `The given value has ${counted(given.length, 'character')}.`;
  return new Refusal('invalid_params', { reason: 'malformed_idempotency_key', detail, metadata: { header: HEADER } });
}

/** A replay skips the checks of scopes, so an API key gets no answer that was made for other scopes. */
function scopesOf(caller: Caller | null): readonly string[] {
  return caller?.type === 'vendor' ? caller.scopes.toSorted((a, b) => (a < b ? -1 : 1)) : [];
}

/** The same value with the names of each object in order, so that a client may write them in any order. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([name, inner]) => [name, canonical(inner)]);
}

function hash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url');
}
