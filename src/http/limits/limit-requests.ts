import type { Request, RequestHandler } from 'express';
import { accountOf, type Caller } from '../../domain/access.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Bucket } from '../../ports/limits.ts';
import type { Settings } from '../../settings.ts';
import type { HttpContext } from '../http-context.ts';
import type { Route } from '../policy.ts';
import { counted } from '../../domain/refusals/shown-text.ts';

type Limits = Settings['limits'];

/** A burst is twice what comes back in a second. */
const BURST_S = 2;

/**
 * Counts each request in one bucket, and refuses `too_many_requests` if it is empty. The answer shows the limit in the
 * headers `RateLimit-Policy` and `RateLimit`. The caller must have been authenticated.
 */
export function limitRequests({ settings, takeToken }: HttpContext, route: Route): RequestHandler {
  const bucketFor = bucketOf(route, settings.limits);
  return async (req, res, next) => {
    const bucket = bucketFor(req, res.locals.caller);
    if (bucket === null) return next();
    const { isAllowed, left, waitMs } = await takeToken(bucket);
    const waitS = Math.max(1, Math.ceil(waitMs / 1000));
    const { name, most, perS } = bucket;
    res.setHeader('RateLimit-Policy', `"${name}";q=${most};w=${Math.ceil(most / perS)}`);
    res.setHeader('RateLimit', `"${name}";r=${left};t=${waitS}`);
    if (!isAllowed) throw tooMany(bucket, waitS);
    next();
  };
}

function tooMany({ name, perS, most }: Bucket, waitS: number): Refusal {
  const rate =
    perS >= 1 ? `${counted(perS, 'request')} a second` : `${counted(Math.round(perS * 60), 'request')} a minute`;
  const detail = `The limit \`${name}\` allows ${rate}, and ${most} at once. Send the request again in ${waitS} s.`;
  return new Refusal('too_many_requests', { reason: name, detail, metadata: { limit: name, retry_after_s: waitS } });
}

type BucketFor = (req: Request, caller: Caller | null) => Bucket | null;

/** The bucket of a request on this route. A route with a limit of its own counts in that one alone. */
function bucketOf(route: Route, limits: Limits): BucketFor {
  if (route.includes('{token}')) {
    return (req) => aMinute('link', String(req.params['token']).slice(0, 128), limits.linkPerMin);
  }
  if (route === 'PUT /couriers/{id}/location') {
    const { locationsPerS: perS, locationsBurst: most } = limits;
    return (req) => ({ name: 'location', subject: String(req.params['id']).slice(0, 128), perS, most });
  }
  const isQuote = route === 'POST /express/quotes';
  const isWebhookTest = route === 'POST /webhooks/{id}/test';
  const isPayout = /^POST \/(payouts|wallets\/(top-ups|refunds))\//.test(route);
  const isProof = route === 'POST /deliveries/{id}/stops/{stop}/proof';
  const isInvoice = route === 'GET /billing/invoices/{id}';
  const isRead = route.startsWith('GET ');
  return (_req, caller) => {
    // Services report for many couriers, and logins have limits of their own.
    if (caller === null || caller.type === 'internal') return null;
    // Not the credential: with twenty keys, a vendor would have twenty times the rate.
    const subject = accountOf(caller);
    if (isQuote) return burst('quotes', subject, limits.quotesPerS);
    if (isPayout) return aMinute('payouts', subject, limits.payoutsPerMin);
    if (isProof) return anHour('proofs', subject, limits.proofsPerHour);
    if (isInvoice) return aMinute('invoices', subject, limits.invoicesPerMin);
    if (isWebhookTest) return aMinute('webhook_tests', subject, limits.webhookTestsPerMin);
    if (caller.type !== 'vendor' || caller.liveMode) return burst('account', subject, limits.livePerS);
    return isRead ? burst('reads', subject, limits.testReadsPerS) : burst('account', subject, limits.testPerS);
  };
}

function aMinute(name: string, subject: string, perMin: number): Bucket {
  return { name, subject, perS: perMin / 60, most: perMin };
}

function anHour(name: string, subject: string, perHour: number): Bucket {
  return { name, subject, perS: perHour / 3600, most: perHour };
}

function burst(name: string, subject: string, perS: number): Bucket {
  return { name, subject, perS, most: BURST_S * perS };
}
