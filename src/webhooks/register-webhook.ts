import type { Caller } from '../domain/access.ts';
import { newId, type RegistrationId, type VendorId } from '../domain/ids.ts';
import { Refusal } from '../domain/refusals/refusals.ts';
import type { Context } from '../ports/context.ts';
import type { Ordering, Registration } from '../ports/webhooks.ts';
import { judgeUrl, type AddressRules } from './guard-address.ts';
import { newWebhookSecret } from './sign.ts';

export type NewRegistration = {
  readonly url: string;
  /** Event types, or `*` for all. */
  readonly events: readonly string[];
  readonly description: string | null;
  readonly ordering: Ordering;
};

type Needs = Pick<Context, 'clock' | 'settings'> & {
  readonly webhooks: Pick<Context['webhooks'], 'find' | 'register'>;
  readonly receivers: AddressRules;
};
/** The id and the secret of the registration. They are the same in every try of one request. */
type Once = { readonly newId: (prefix: 'whk') => RegistrationId; readonly entropy: Uint8Array | null };
type Owner = Pick<Extract<Caller, { type: 'vendor' }>, 'vendorId' | 'liveMode'>;

/**
 * Registers a URL for event types of the caller's account and mode. Only this call returns the secret.
 * Refuses `webhook_url_not_allowed` and `too_many_registrations`.
 */
export async function registerWebhook(
  ctx: Needs,
  { url, events, description, ordering }: NewRegistration,
  { vendorId, liveMode }: Owner,
  once: Once = { newId, entropy: null },
): Promise<{ registration: Registration; secret: string }> {
  const id = once.newId('whk');
  // An earlier try may have stored it. Its secret must not be lost because the name of the host is gone by now.
  if ((await ctx.webhooks.find({ id, vendorId, liveMode })) === null) await refuseUrl(ctx, url, vendorId);
  const registration = {
    id,
    vendorId,
    liveMode,
    url,
    events,
    description,
    ordering,
    createdAt: ctx.clock.now(),
  };
  const secret = newWebhookSecret(once.entropy);
  const most = ctx.settings.webhooks.registrations;
  const stored = await ctx.webhooks.register(registration, secret, most);
  if (stored !== null) return { registration: stored, secret };
  const detail = `The account must have at most ${most} webhook registrations in one mode, and it has ${most}.`;
  throw new Refusal('too_many_registrations', { detail, metadata: { at_most: most } });
}

/** Refuses `webhook_url_not_allowed` for an address that may not receive webhooks. */
export async function refuseUrl(
  ctx: Pick<Needs, 'clock' | 'settings' | 'receivers'>,
  url: string,
  vendorId: VendorId,
): Promise<void> {
  const reason = await judgeUrl(new URL(url), vendorId, ctx.receivers, ctx);
  if (reason === null) return;
  throw new Refusal('webhook_url_not_allowed', { detail: `\`/url\` ${reason}.`, metadata: { url } });
}
