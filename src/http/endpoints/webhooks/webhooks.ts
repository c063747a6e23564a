import { registerWebhook } from '../../../webhooks/register-webhook.ts';
import { endpoint } from '../../endpoint.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import { OwnListQuery } from '../../wire/deliveries/delivery-list.ts';
import { NewWebhookBody, presentRegistration, WebhookView } from '../../wire/webhooks/webhook.ts';

const tag = 'Webhooks';

/** The webhook registrations of a vendor. */
export const WEBHOOKS = [
  endpoint({
    route: 'POST /webhooks',
    tag,
    summary: 'Register a URL for event types; only this answer contains the secret',
    body: NewWebhookBody,
    reply: WebhookView,
    status: 201,
    run: async (ctx, { caller, body }) => {
      const { registration, secret } = await registerWebhook(ctx, body, caller);
      return { ...presentRegistration(registration), secret };
    },
  }),
  endpoint({
    route: 'GET /webhooks',
    tag,
    summary: 'List the registrations of the account, newest first',
    query: OwnListQuery,
    reply: listOf(WebhookView),
    status: 200,
    run: async (ctx, { caller: { vendorId, liveMode }, query, url }) => {
      const scope = `webhooks ${vendorId} ${liveMode}`;
      const page = await ctx.webhooks.list(vendorId, liveMode, pageRequest(ctx.signer, scope, query));
      return listAnswer(ctx.signer, scope, url, mapPage(page, presentRegistration));
    },
  }),
];
