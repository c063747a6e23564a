import type { ErrorRequestHandler, Response } from 'express';
import { presentRefusal } from '../domain/refusals/present-refusal.ts';
import { Refusal, type Problem } from '../domain/refusals/refusals.ts';
import type { Context } from '../ports/context.ts';

/** An error of the body parser. */
type ParserError = Error & { readonly type: string; readonly status: number; readonly limit?: number };

/** Seconds after which a caller may retry, if a retryable refusal names no time. */
const RETRY_AFTER_S = 1;

/** Machine time before such a refusal is sent, so that a caller who retries at once does not retry more often. */
const LATE_MS = 1000;
/** Most delayed answers. Further ones are sent at once. */
const MOST_LATE = 1000;

/**
 * Answers every error with a problem, or with a page on a route for people. Errors that are not refusals are logged, and the
 * caller receives the request id.
 */
export function answerErrors({ log, clock }: Pick<Context, 'log' | 'clock'>): ErrorRequestHandler {
  let late = 0;
  return async (error: unknown, req, res, next) => {
    const refusal = refusalOf(error);
    if (refusal.code === 'internal_error') {
      log.error(
        {
          request_id: res.locals.requestId,
          ...res.locals.trace,
          method: req.method,
          route: res.locals.route,
          err: error,
        },
        'request failed',
      );
    }
    if (res.headersSent) {
      // A part of the answer is sent. Only a closed connection shows the caller that it is incomplete.
      next(error);
      return;
    }
    if (isToldLate(refusal, res) && late < MOST_LATE) {
      late += 1;
      await clock.real.sleep(LATE_MS);
      late -= 1;
      // The connection may have been closed during the wait.
      if (res.headersSent) return;
    }
    // The server reads nothing more from unauthenticated callers, because the rest of the body is useless.
    if (refusal.code === 'payload_too_large' && !isProven(res)) res.setHeader('Connection', 'close');
    sendProblem(res, refusal, req.path);
  };
}

/** Says whether the refusal of an unauthenticated caller is delayed. `refused-bodies.ts` delays those of other callers. */
function isToldLate({ code, told }: Refusal, res: Response): boolean {
  // A probe gives up after a second, and does not retry at once.
  if (isProven(res) || told.reason === 'not_ready') return false;
  if (code === 'too_many_requests') return told.metadata?.['retry_after_s'] !== undefined;
  return code === 'busy' || code === 'payload_too_large';
}

function isProven({ locals }: Response): boolean {
  return locals.caller !== undefined && locals.caller !== null;
}

/** Turns any error into a refusal. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error)) return new Refusal('internal_error');
  // The router could not decode the path.
  if (error instanceof URIError) return new Refusal('route_not_found', { detail: 'The path cannot be decoded.' });
  return isOfParser(error) ? refuseBody(error) : new Refusal('internal_error');
}

function isOfParser(error: Error): error is ParserError {
  return 'type' in error && typeof error.type === 'string' && 'status' in error && Number(error.status) < 500;
}

function refuseBody({ type, limit }: ParserError): Refusal {
  switch (type) {
    case 'entity.too.large':
      return new Refusal('payload_too_large', { detail: `The body must have at most ${limit} bytes.` });
    case 'encoding.unsupported':
      return new Refusal('unsupported_media_type', {
        detail: '`Content-Encoding` must be `gzip`, `deflate`, `br` or left out.',
      });
    case 'charset.unsupported':
      return new Refusal('unsupported_media_type', { detail: 'The charset of `Content-Type` must be UTF-8.' });
    default:
      return new Refusal('malformed_body', { detail: 'The body must be valid JSON, and it could not be parsed.' });
  }
}

/** Sends the problem object of a refusal, or its page. No cache keeps it: another process may have what this one lacks. */
export function sendProblem(res: Response, refusal: Refusal, path: string): void {
  const problem = presentRefusal(refusal, res.locals.requestId, path);
  if (problem.status === 401) res.setHeader('WWW-Authenticate', 'Bearer');
  const retryAfterS = problem.retryable && problem.status !== 500 ? retryAfterSOf(problem) : null;
  if (retryAfterS !== null) res.setHeader('Retry-After', retryAfterS);
  res.setHeader('Cache-Control', 'no-store');
  res.status(problem.status);
  const page = res.locals.showRefusal?.(problem, res.req.originalUrl, retryAfterS);
  if (page === undefined) res.type('application/problem+json').send(JSON.stringify(problem));
  else res.type('html').send(page);
}

function retryAfterSOf({ metadata }: Problem): number {
  const named = metadata?.['retry_after_s'];
  return typeof named === 'number' ? Math.max(1, Math.ceil(named)) : RETRY_AFTER_S;
}
