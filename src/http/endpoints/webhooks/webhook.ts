import type { RegistrationId } from '../../../domain/ids.ts';
import { Refusal, refuseField } from '../../../domain/refusals/refusals.ts';
import type { Registration } from '../../../ports/webhooks.ts';
import { refuseUrl } from '../../../webhooks/register-webhook.ts';
import { newWebhookSecret } from '../../../webhooks/sign.ts';
import { testWebhook } from '../../../webhooks/test-webhook.ts';
import { Answer, endpoint } from '../../endpoint.ts';
import type { HttpContext } from '../../http-context.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import type { CallerOf } from '../../policy.ts';
import {
  AttemptListQuery,
  attemptState,
  AttemptView,
  presentAttempt,
  presentRegistration,
  ReplayBody,
  ReplayView,
  RotateSecretBody,
  TestResultView,
  WebhookEditBody,
  WebhookView,
} from '../../wire/webhooks/webhook.ts';

const tag = 'Webhooks';
const id = 'webhook';
const HOUR_MS = 3_600_000;

/** One webhook of a vendor: its settings, its secret and its attempts. */
export const WEBHOOK = [
  endpoint({
    route: 'GET /webhooks/{id}',
    name: 'getWebhook',
    tag,
    summary: 'Read a webhook',
    description: 'Reads a registration of the account and mode. Its secret is not shown.',
    id,
    reply: WebhookView,
    status: 200,
    run: async (ctx, { caller, id: of }) => presentRegistration(await ownOf(ctx, caller, of)),
  }),
  endpoint({
    route: 'PATCH /webhooks/{id}',
    name: 'updateWebhook',
    tag,
    summary: 'Change, disable or enable a webhook',
    description:
      'Changes the named fields. A receiver that answers 410 disables its webhook; `status: enabled` starts it again. ' +
      'Events that happened while it was disabled are sent by a replay.',
    id,
    body: WebhookEditBody,
    reply: WebhookView,
    status: 200,
    run: async (ctx, { caller, id: of, body }) => {
      await ownOf(ctx, caller, of);
      // A repeat after a crash must not fail because the name of the host is gone by now.
      if (body.url !== undefined && !(await ctx.audit.isEdited())) await refuseUrl(ctx, body.url, caller.vendorId);
      return presentRegistration(found(await ctx.webhooks.change({ ...caller, id: of }, body)));
    },
  }),
  endpoint({
    route: 'DELETE /webhooks/{id}',
    name: 'removeWebhook',
    tag,
    summary: 'Remove a webhook',
    description: 'Removes a registration. It gets no further try, also not of attempts that are due.',
    id,
    status: 204,
    run: async (ctx, { caller, id: of }) => {
      if (!(await ctx.webhooks.remove({ ...caller, id: of }))) throw new Refusal('webhook_not_found');
      return new Answer(undefined);
    },
  }),
  endpoint({
    route: 'POST /webhooks/{id}/rotate-secret',
    name: 'rotateWebhookSecret',
    tag,
    summary: 'Replace the secret of a webhook',
    description:
      'Makes a new secret, which only this answer contains. During the overlap each request has two signatures, one by ' +
      'each secret, so that receivers can change at any time. Until it has passed, another rotation needs ' +
      '`overlap_hours: 0`, which ends all earlier secrets at once.',
    id,
    body: RotateSecretBody,
    reply: WebhookView,
    status: 200,
    run: async (ctx, { caller, id: of, body, entropy }) => {
      const secret = newWebhookSecret(entropy());
      const changed = await ctx.webhooks.rotateSecret({ ...caller, id: of }, secret, body.overlap_hours * HOUR_MS);
      return { ...presentRegistration(found(changed)), secret };
    },
  }),
  endpoint({
    route: 'POST /webhooks/{id}/test',
    name: 'testWebhook',
    tag,
    summary: 'Send a test event',
    description:
      'Posts a signed event of the type `webhook.test` once and answers with the result. It is neither stored nor ' +
      'retried, and it also reaches a disabled webhook. A vendor may make 10 test calls a minute in each mode.',
    id,
    reply: TestResultView,
    status: 200,
    run: async (ctx, { caller, id: of }) => {
      const registration = await ownOf(ctx, caller, of);
      const secrets = await ctx.webhooks.secretsOf({ ...caller, id: of });
      const { status, tookMs, error, response } = await testWebhook(ctx, registration, secrets);
      return { object: 'webhook_test' as const, status, took_ms: tookMs, error, response };
    },
  }),
  endpoint({
    route: 'GET /webhooks/{id}/attempts',
    name: 'listWebhookAttempts',
    tag,
    summary: 'List the attempts of a webhook',
    description: 'Lists the attempts with their tries, by event, newest first. Ended attempts are kept for 30 days.',
    id,
    query: AttemptListQuery,
    reply: listOf(AttemptView),
    status: 200,
    run: async (ctx, { caller, id: of, query, url }) => {
      await ownOf(ctx, caller, of);
      const scope = `attempts ${of} ${query.state ?? 'all'}`;
      const state = query.state === undefined ? null : attemptState(query.state);
      const page = await ctx.webhooks.listAttempts(of, state, pageRequest(ctx.signer, scope, query));
      return listAnswer(ctx.signer, scope, url, mapPage(page, presentAttempt));
    },
  }),
  endpoint({
    route: 'POST /webhooks/{id}/replay',
    name: 'replayWebhook',
    tag,
    summary: 'Send events again',
    description:
      'Makes one event due again, or all events since a time that have failed or were never sent. One call looks at ' +
      'up to 1,000 events, oldest first. A receiver knows an event by its id, which stays the same.',
    id,
    body: ReplayBody,
    reply: ReplayView,
    status: 202,
    run: async (ctx, { caller, id: of, body }) => {
      const registration = await ownOf(ctx, caller, of);
      if (registration.disabled !== null) throw new Refusal('webhook_disabled');
      const { due, nextSince } = await replay(ctx, registration, body);
      return { object: 'webhook_replay' as const, due, next_since: nextSince };
    },
  }),
];

type Replayed = { readonly due: number; readonly nextSince: string | null };

async function replay(
  ctx: HttpContext,
  registration: Registration,
  { event_id: eventId, since = 0 }: { readonly event_id?: `evt_${string}`; readonly since?: number },
): Promise<Replayed> {
  if (eventId !== undefined) {
    const due = await ctx.webhooks.replayEvent(registration, eventId);
    if (due === null) throw new Refusal('event_not_found');
    return { due, nextSince: null };
  }
  const { replayEvents } = ctx.settings.webhooks;
  // Without its attempt, an event that the receiver has would be sent again.
  const replayMostMs = Math.min(ctx.settings.webhooks.replayMostMs, ctx.settings.retention.attemptsMs);
  const now = ctx.clock.now();
  if (since > now) throw refuseField('/since', 'in_the_future', 'must be in the past');
  if (since < now - replayMostMs)
    throw refuseField('/since', 'too_early', `must be at most ${replayMostMs / HOUR_MS} h ago`);
  const asked = new Date(since).toISOString();
  const { made, nextSince } = await ctx.webhooks.replaySince(registration, asked, replayEvents);
  return { due: made, nextSince };
}

/** The caller's registration. That of another account or mode is absent. */
async function ownOf(
  { webhooks }: HttpContext,
  { vendorId, liveMode }: CallerOf<'GET /webhooks/{id}'>,
  of: RegistrationId,
): Promise<Registration> {
  return found(await webhooks.find({ id: of, vendorId, liveMode }));
}

function found(registration: Registration | null): Registration {
  if (registration === null) throw new Refusal('webhook_not_found');
  return registration;
}
