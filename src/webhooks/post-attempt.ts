import { Agent, request, type Dispatcher } from 'undici';
import { present } from '../domain/views/present-event.ts';
import type { Context } from '../ports/context.ts';
import type { Attempt, AttemptOutcome, Secrets } from '../ports/webhooks.ts';
import { guardedConnector, type AddressRules } from './guard-address.ts';
import { isSuccess, nextTryAfterMs, parseRetryAfter, type TryResult } from './schedule.ts';
import { signatureHeaders } from './sign.ts';

/** Most bytes that are read of a receiver's answer. */
const MOST_READ = 65_536;
/** Error names undici gives when a time limit is reached. */
const TIMEOUTS = /timeout|timedout|abort/i;
/** Those of a limit on the answer. A connection has a limit of its own, which its error names. */
const ANSWER_TIMEOUTS = ['TimeoutError', 'HeadersTimeoutError', 'BodyTimeoutError'];

export type Posted = { readonly outcome: AttemptOutcome; readonly nextAt: number | null };

type Needs = Pick<Context, 'clock' | 'settings'>;

/** Creates the connections to receivers. Every address is checked while connecting, and redirects are not followed. */
export function createReceiverAgent(settings: Context['settings'], rules: AddressRules): Agent {
  const { connectRealMs, totalRealMs } = settings.webhooks;
  return new Agent({
    connect: guardedConnector(rules, connectRealMs),
    headersTimeout: totalRealMs,
    bodyTimeout: totalRealMs,
    // A receiver may shorten this time, but idle connections must not stay open for minutes.
    keepAliveMaxTimeout: totalRealMs,
    maxResponseSize: -1,
  });
}

/** Makes one try: signs and posts the event, reads the answer and finds the time of the next try. Never throws. */
export async function postAttempt(ctx: Needs, attempt: Attempt, dispatcher: Dispatcher): Promise<Posted> {
  const { clock } = ctx;
  const startedAt = clock.real.elapsed();
  const got = attempt.secrets === null ? UNREADABLE : await post(ctx, attempt, attempt.secrets, dispatcher);
  const waitMs = nextTryAfterMs(attempt.number, got.result, jitterOf(attempt));
  const at = clock.now();
  return {
    outcome: {
      at,
      status: got.result.status,
      tookMs: Math.round(clock.real.elapsed() - startedAt),
      error: got.error,
      response: got.response,
    },
    nextAt: waitMs === null ? null : at + waitMs,
  };
}

/** The outcome if the event cannot be signed. The operator may restore the right key before the last try. */
export const UNREADABLE: Got = {
  result: { status: null, isTimeout: false, retryAfterMs: null },
  error: 'the secret of the registration cannot be decrypted with the WEBHOOK_KEY of the server',
  response: null,
};

type Got = { result: TryResult; error: string | null; response: string | null };

async function post(ctx: Needs, { event, eventId, registration }: Attempt, secrets: Secrets, dispatcher: Dispatcher) {
  const body = bodyOf(event);
  if (typeof body !== 'string') return body;
  return postSigned(ctx, { url: registration.url, id: eventId, body, secrets }, dispatcher);
}

/** The body of an event. An event that cannot be written as JSON fails like any try. */
function bodyOf(event: Attempt['event']): string | Got {
  try {
    return JSON.stringify(present(event, 'webhook'));
  } catch (error) {
    return failed(error);
  }
}

/** A body to be signed and posted. `id` is the receiver's key against duplicates. */
export type Signed = { readonly url: string; readonly id: string; readonly body: string; readonly secrets: Secrets };

/** Signs and posts a body once, and reads the start of the answer. Never throws. */
export async function postSigned(
  { clock, settings }: Needs,
  { url, id, body, secrets }: Signed,
  dispatcher: Dispatcher,
): Promise<Got> {
  try {
    const wallMs = clock.real.wall();
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'dispatch-webhooks/1',
      ...signatureHeaders(secrets, id, Math.floor(wallMs / 1000), body),
    };
    const signal = AbortSignal.timeout(settings.webhooks.totalRealMs);
    const answer = await request(url, { method: 'POST', headers, body, dispatcher, signal });
    const response = await readStart(answer.body, settings.webhooks.answerBytes);
    const header = answer.headers['retry-after'];
    const retryAfterMs = parseRetryAfter(Array.isArray(header) ? header[0] : header, wallMs);
    const error = isSuccess(answer.statusCode) ? null : `answered ${answer.statusCode}`;
    return { result: { status: answer.statusCode, isTimeout: false, retryAfterMs }, error, response };
  } catch (error) {
    // A failure of a receiver leads to a retry and must never end the process. The log of the attempt shows the reason.
    const got = failed(error);
    if (!(error instanceof Error) || !ANSWER_TIMEOUTS.includes(error.name)) return got;
    return { ...got, error: `the whole answer did not come within ${settings.webhooks.totalRealMs / 1000} s` };
  }
}

function failed(error: unknown): Got {
  const told = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    result: { status: null, isTimeout: TIMEOUTS.test(told), retryAfterMs: null },
    error: told.slice(0, 500),
    response: null,
  };
}

async function readStart(body: Dispatcher.ResponseData['body'], keptBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MOST_READ) break;
  }
  return Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8');
}

/** Spreads the retries of different attempts; the same attempt and number always gives the same number below 1. */
function jitterOf({ id, number }: Attempt): number {
  let hash = number;
  for (const char of id) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) >>> 0;
  return (hash % 1000) / 1000;
}
