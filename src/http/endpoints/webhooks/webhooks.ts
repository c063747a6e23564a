import { registerWebhook } from '../../../webhooks/register-webhook.ts';
import { endpoint } from '../../endpoint.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import { NewWebhookBody, presentRegistration, WebhookListQuery, WebhookView } from '../../wire/webhooks/webhook.ts';

const tag = 'Webhooks';

/** The webhook registrations of a vendor. */
export const WEBHOOKS = [
  endpoint({
    route: 'POST /webhooks',
    name: 'createWebhook',
    tag,
    summary: 'Register a URL for event types; only this answer contains the secret',
    description:
      'Registers a URL that receives events of this account and mode. The secret signs each request and is shown ' +
      'only in this answer. Except on a development server, the URL must be reachable from the public internet.',
    body: NewWebhookBody,
    reply: WebhookView,
    status: 201,
    run: async (ctx, { caller, body, newId, entropy }) => {
      const { registration, secret } = await registerWebhook(ctx, body, caller, { newId, entropy: entropy() });
      return { ...presentRegistration(registration), secret };
    },
  }),
  endpoint({
    route: 'GET /webhooks',
    name: 'listWebhooks',
    tag,
    summary: 'List the registrations of the account, newest first',
    description:
      'Returns the registrations of this account and mode, newest first. Disabled ones are listed only if ' +
      '`status` asks for them. Secrets are not shown.',
    query: WebhookListQuery,
    reply: listOf(WebhookView),
    status: 200,
    run: async (ctx, { caller: { vendorId, liveMode }, query, url }) => {
      const scope = `webhooks ${vendorId} ${liveMode} ${query.status}`;
      const isEnabled = query.status === 'all' ? null : query.status === 'enabled';
      const page = await ctx.webhooks.list(vendorId, liveMode, isEnabled, pageRequest(ctx.signer, scope, query));
      return listAnswer(ctx.signer, scope, url, mapPage(page, presentRegistration));
    },
  }),
];
