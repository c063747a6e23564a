import { z } from 'zod';
import { SCOPES, type Scope } from '../../../domain/access.ts';
import { AUDITED_ACTORS } from '../../../domain/audit.ts';
import { idSchema } from '../../../domain/ids.ts';
import { isoTime } from '../../../domain/time.ts';
import type { ApiKey } from '../../../ports/access.ts';
import { pageQuery } from '../../lists.ts';
import { InstantBody } from '../place.ts';
import { textOf } from '../../../domain/text.ts';

const ScopeField = z.enum(SCOPES as readonly [Scope, ...Scope[]]);

const owner = {
  vendor_id: idSchema('ven').exactOptional().describe('The vendor, for staff. A vendor leaves it out'),
};

export const ApiKeyQuery = z.strictObject({
  ...pageQuery,
  ...owner,
  live_mode: z
    .enum(['true', 'false'])
    .transform((word) => word === 'true')
    .exactOptional()
    .describe('The mode, for staff; false if it is left out. A vendor leaves it out'),
});

export const NewApiKeyBody = z.strictObject({
  ...owner,
  live_mode: z
    .boolean()
    .exactOptional()
    .describe('The mode, for staff; false if it is left out. A vendor leaves it out'),
  name: textOf(80).exactOptional().describe('A name by which people know the key, at most 80 characters'),
  scopes: z
    .array(ScopeField)
    .min(1)
    .max(SCOPES.length)
    .exactOptional()
    .describe('The scopes of the key. Without them it gets those of the calling key, or all if staff make it'),
  expires_at: InstantBody.exactOptional().describe(
    'When the key ends by itself, UTC. Without it the key ends with the calling key, if that ends',
  ),
});

export const RotateApiKeyBody = z.strictObject({
  overlap_hours: z
    .int()
    .min(0)
    .max(168)
    .default(24)
    .describe('Hours for which the old key stays valid beside the new one, 0 to 168'),
});

export const ApiKeyView = z.strictObject({
  id: idSchema('key').describe('The id of the key'),
  object: z.literal('api_key').describe('The kind of object'),
  live_mode: z.boolean().describe('False for a key of test mode'),
  name: z.string().nullable().describe('The name by which people know the key'),
  prefix: z.string().describe('How the key begins'),
  last4: z.string().describe('The last four characters of the key'),
  scopes: z.array(ScopeField).describe('The rights of the key'),
  status: z.enum(['active', 'expired', 'revoked']).describe('Whether the key is valid now'),
  created_at: z.iso.datetime().describe('When the key was made, UTC'),
  created_by: z.enum(AUDITED_ACTORS).describe('The kind of actor that made the key'),
  last_used_at: z.iso.datetime().nullable().describe('When the key was last used, to the minute, UTC'),
  expires_at: z.iso.datetime().nullable().describe('When the key ends by itself, UTC; null for never'),
  revoked_at: z.iso.datetime().nullable().describe('When the key was revoked, UTC'),
  replaced_by: idSchema('key').nullable().describe('The key that replaced it in a rotation'),
  api_version: z.string().describe('The version of the API, a date, for requests that name none'),
  key: z.string().exactOptional().describe('The key itself. Only the answer that makes it contains it'),
});

/** @param now machine time in ms */
export function presentApiKey(apiKey: ApiKey, now: number): z.output<typeof ApiKeyView> {
  const { expiresAt, revokedAt } = apiKey;
  const isExpired = expiresAt !== null && expiresAt <= now;
  return {
    id: apiKey.id,
    object: 'api_key',
    live_mode: apiKey.liveMode,
    name: apiKey.name,
    prefix: apiKey.prefix,
    last4: apiKey.last4,
    scopes: [...apiKey.scopes],
    status: revokedAt === null ? (isExpired ? 'expired' : 'active') : 'revoked',
    created_at: isoTime(apiKey.createdAt),
    created_by: apiKey.createdBy,
    last_used_at: orNull(apiKey.lastUsedAt),
    expires_at: orNull(expiresAt),
    revoked_at: orNull(revokedAt),
    replaced_by: apiKey.replacedBy,
    api_version: apiKey.apiVersion,
  };
}

function orNull(at: number | null): string | null {
  return at === null ? null : isoTime(at);
}
