import { refuseMissingScope, SCOPES, type Scope } from '../../../domain/access.ts';
import type { KeyId, VendorId } from '../../../domain/ids.ts';
import { Refusal, refuseField } from '../../../domain/refusals/refusals.ts';
import { isoTime } from '../../../domain/time.ts';
import type { ApiKey } from '../../../ports/access.ts';
import { Answer, endpoint } from '../../endpoint.ts';
import type { HttpContext } from '../../http-context.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import { refuseOther } from '../../owner.ts';
import type { CallerOf } from '../../policy.ts';
import { ApiKeyQuery, ApiKeyView, NewApiKeyBody, presentApiKey, RotateApiKeyBody } from '../../wire/access/api-key.ts';

const tag = 'Access';
const HOUR_MS = 3_600_000;

type KeyCaller = CallerOf<'POST /vendor/api-keys'>;
type Owner = { readonly vendorId: VendorId; readonly liveMode: boolean };

/** The API keys of a vendor, for the vendor itself and for admins. */
export const API_KEYS = [
  endpoint({
    route: 'GET /vendor/api-keys',
    name: 'listApiKeys',
    tag,
    summary: 'List the API keys of the account',
    description:
      'Lists the API keys of the account and mode, newest first. Ended keys are listed for 90 days, or until the account has ' +
      'made 1,000 newer ones.',
    query: ApiKeyQuery,
    reply: listOf(ApiKeyView),
    status: 200,
    refuses: [404],
    run: async (ctx, { caller, query, url }) => {
      const { vendorId, liveMode } = ownerOf(caller, query.vendor_id, query.live_mode);
      const scope = `api-keys ${vendorId} ${liveMode}`;
      const page = await ctx.apiKeys.list(vendorId, liveMode, pageRequest(ctx.signer, scope, query));
      const now = ctx.clock.real.now();
      return listAnswer(
        ctx.signer,
        scope,
        url,
        mapPage(page, (apiKey) => presentApiKey(apiKey, now)),
      );
    },
  }),
  endpoint({
    route: 'POST /vendor/api-keys',
    name: 'createApiKey',
    tag,
    summary: 'Make an API key',
    description:
      'Makes an API key with at most the scopes of the calling key, and no later end. Only this answer contains the key, and the server ' +
      'stores its hash alone.',
    body: NewApiKeyBody,
    reply: ApiKeyView,
    status: 201,
    refuses: [404],
    run: async (ctx, { caller, body, newId, entropy }) => {
      const owner = ownerOf(caller, body.vendor_id, body.live_mode);
      // A vendor of staff's request must exist.
      await ctx.vendors.get(owner.vendorId);
      const scopes = [...new Set(body.scopes ?? scopesOf(caller))];
      refuseMore(caller, scopes);
      const now = ctx.clock.real.now();
      const end = await endOf(ctx, caller);
      const expiresAt = body.expires_at ?? end;
      refuseLater(end, expiresAt);
      if (expiresAt !== null && expiresAt <= now)
        throw refuseField('/expires_at', 'in_the_past', 'must be in the future');
      const asked = { ...owner, name: body.name ?? null, scopes, expiresAt };
      const made = await ctx.apiKeys.create(asked, { id: newId('key'), entropy: entropy() });
      return { ...presentApiKey(made.apiKey, now), key: made.key };
    },
  }),
  endpoint({
    route: 'DELETE /vendor/api-keys/{id}',
    name: 'revokeApiKey',
    tag,
    summary: 'Revoke an API key',
    description: 'Ends an API key at once, with all its connections. A key that has ended stays as it is.',
    id: 'key',
    status: 204,
    run: async (ctx, { caller, id }) => {
      await ctx.apiKeys.revoke(await keyOf(ctx, caller, id));
      return new Answer(undefined);
    },
  }),
  endpoint({
    route: 'POST /vendor/api-keys/{id}/rotate',
    name: 'rotateApiKey',
    tag,
    summary: 'Replace an API key by a new one',
    description:
      'Makes a key with the same name and scopes. The old key stays valid for the overlap and then ends by itself. Only ' +
      'this answer contains the new key.',
    id: 'key',
    body: RotateApiKeyBody,
    reply: ApiKeyView,
    status: 201,
    run: async (ctx, { caller, id, body, newId, entropy }) => {
      const before = await keyOf(ctx, caller, id);
      refuseMore(caller, before.scopes);
      refuseLater(await endOf(ctx, caller), before.expiresAt);
      const most = ctx.settings.auth.keyOverlapMostH;
      if (body.overlap_hours > most) throw refuseField('/overlap_hours', 'too_large', `must be at most ${most}`);
      const successor = { id: newId('key'), entropy: entropy() };
      const { apiKey, key } = await ctx.apiKeys.rotate(before, body.overlap_hours * HOUR_MS, successor);
      return { ...presentApiKey(apiKey, ctx.clock.real.now()), key };
    },
  }),
];

/** The account and mode that are meant. A vendor means its own, and staff name them. */
function ownerOf(caller: KeyCaller, vendorId: VendorId | undefined, liveMode: boolean | undefined): Owner {
  if (caller.type === 'staff') {
    if (vendorId === undefined)
      throw refuseField('/vendor_id', 'required', 'must be given, because the caller is staff');
    return { vendorId, liveMode: liveMode ?? false };
  }
  refuseOther(caller, { vendorId: vendorId ?? null, liveMode: liveMode ?? null });
  return caller;
}

/** Finds a key. The key of another account or mode is absent to a vendor. */
async function keyOf({ apiKeys }: HttpContext, caller: KeyCaller, id: KeyId): Promise<ApiKey> {
  const apiKey = await apiKeys.find(id);
  const isOwn =
    caller.type === 'staff' || (apiKey?.vendorId === caller.vendorId && apiKey.liveMode === caller.liveMode);
  if (apiKey === null || !isOwn) throw new Refusal('api_key_not_found');
  return apiKey;
}

function scopesOf(caller: KeyCaller): readonly Scope[] {
  return caller.type === 'staff' ? SCOPES : caller.scopes;
}

/** When the calling key ends, as stored now; null if it does not. It may have been rotated since the server last read it. */
async function endOf({ apiKeys }: HttpContext, caller: KeyCaller): Promise<number | null> {
  if (caller.type === 'staff') return null;
  const apiKey = await apiKeys.find(caller.keyId);
  if (apiKey === null || apiKey.revokedAt !== null) throw new Refusal('unauthorized');
  return apiKey.expiresAt;
}

/** A key that ends makes no key that lasts longer. Otherwise a stolen temporary key would become a permanent one. */
function refuseLater(end: number | null, expiresAt: number | null): void {
  if (end === null || (expiresAt !== null && expiresAt <= end)) return;
  const detail = `The calling API key ends at ${isoTime(end)}, and the new key must not end later.`;
  throw new Refusal('forbidden', { reason: 'key_outlives_its_maker', detail });
}

/** A key cannot give more than it has. */
function refuseMore(caller: KeyCaller, scopes: readonly Scope[]): void {
  for (const scope of scopes) refuseMissingScope(scopesOf(caller), scope);
}
