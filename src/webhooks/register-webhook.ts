import type { Caller } from '../domain/access.ts';
import { newId } from '../domain/ids.ts';
import { Refusal } from '../domain/refusals/refusals.ts';
import type { Context } from '../ports/context.ts';
import type { Registration } from '../ports/webhooks.ts';
import { judgeUrl, type AddressRules } from './guard-address.ts';
import { newWebhookSecret } from './sign.ts';

export type NewRegistration = {
  readonly url: string;
  /** Event types, or `*` for all. */
  readonly events: readonly string[];
  readonly description: string | null;
};

type Needs = Pick<Context, 'clock' | 'settings'> & {
  readonly webhooks: Pick<Context['webhooks'], 'register'>;
  readonly receivers: AddressRules;
};
type Owner = Pick<Extract<Caller, { type: 'vendor' }>, 'vendorId' | 'liveMode'>;

/**
 * Registers a URL for event types of the caller's account and mode. Only this call returns the secret.
 * Refuses `webhook_url_not_allowed` and `too_many_registrations`.
 */
export async function registerWebhook(
  ctx: Needs,
  { url, events, description }: NewRegistration,
  { vendorId, liveMode }: Owner,
): Promise<{ registration: Registration; secret: string }> {
  const reason = await judgeUrl(new URL(url), vendorId, ctx.receivers, ctx);
  if (reason !== null)
    throw new Refusal('webhook_url_not_allowed', { detail: `\`/url\` ${reason}.`, metadata: { url } });
  const registration = { id: newId('whk'), vendorId, liveMode, url, events, description, createdAt: ctx.clock.now() };
  const secret = newWebhookSecret();
  const most = ctx.settings.webhooks.registrations;
  if (await ctx.webhooks.register(registration, secret, most)) return { registration, secret };
  const detail = `The account must have at most ${most} webhook registrations in one mode, and it has ${most}.`;
  throw new Refusal('too_many_registrations', { detail, metadata: { at_most: most } });
}
