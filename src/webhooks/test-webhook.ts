import { API_VERSION } from '../domain/deliveries/events.ts';
import { newId } from '../domain/ids.ts';
import { Refusal } from '../domain/refusals/refusals.ts';
import type { Context } from '../ports/context.ts';
import type { AttemptOutcome, Registration, Secrets } from '../ports/webhooks.ts';
import type { AddressRules } from './guard-address.ts';
import { createReceiverAgent, postSigned, UNREADABLE } from './post-attempt.ts';

/** Test calls in flight of this process. Each may hang until its time is up. */
const MOST_AT_ONCE = 20;
let inFlight = 0;

type Needs = Pick<Context, 'clock' | 'settings'> & { readonly receivers: AddressRules };

/**
 * Posts a signed `webhook.test` event to a registration once, and returns the result. It is neither stored nor retried.
 * Without secrets nothing is posted, and the result says why.
 * Refuses `busy` if too many run.
 */
export async function testWebhook(
  ctx: Needs,
  registration: Registration,
  secrets: Secrets | null,
): Promise<AttemptOutcome> {
  if (inFlight >= MOST_AT_ONCE) throw new Refusal('busy');
  const agent = createReceiverAgent(ctx.settings, ctx.receivers);
  const id = newId('evt');
  const at = ctx.clock.now();
  const envelope = { id, object: 'event', type: 'webhook.test', api_version: API_VERSION };
  const { liveMode, vendorId } = registration;
  const about = { created_at: new Date(at).toISOString(), live_mode: liveMode, vendor_id: vendorId, data: {} };
  const startedAt = ctx.clock.real.elapsed();
  inFlight += 1;
  try {
    const body = JSON.stringify({ ...envelope, ...about });
    const { url } = registration;
    const posted = secrets === null ? UNREADABLE : await postSigned(ctx, { url, id, body, secrets }, agent);
    const { result, error, response } = posted;
    const tookMs = Math.round(ctx.clock.real.elapsed() - startedAt);
    return { at, status: result.status, tookMs, error, response };
  } finally {
    inFlight -= 1;
    // The answer does not wait for the sockets of the call.
    void agent.destroy();
  }
}
