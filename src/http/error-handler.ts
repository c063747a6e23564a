import type { ErrorRequestHandler, Response } from 'express';
import { presentRefusal, Refusal, type Problem } from '../domain/refusals/refusals.ts';
import type { Context } from '../ports/context.ts';

/** What the body parser says of its refusals. */
type ParserError = Error & { readonly type: string; readonly status: number; readonly limit?: number };

/** Seconds after which a caller may try again what was refused only for now, when the refusal names no time. */
const RETRY_AFTER_S = 1;

/** Machine time after which such a refusal is told: one who asks again at once asks no more often than that. */
const LATE_MS = 1000;
/** Answers that are held back; more are sent at once. */
const MOST_LATE = 1000;

/** Answers every error as a problem; what is not a refusal is logged and tells the caller only the request id. */
export function answerErrors({ log, clock }: Pick<Context, 'log' | 'clock'>): ErrorRequestHandler {
  let late = 0;
  return async (error: unknown, req, res, next) => {
    const refusal = refusalOf(error);
    if (refusal.code === 'internal_error') {
      log.error(
        { request_id: res.locals.requestId, method: req.method, route: res.locals.route, err: error },
        'request failed',
      );
    }
    if (res.headersSent) {
      // Half an answer is out: only cutting the connection tells the caller that it is not whole.
      next(error);
      return;
    }
    if (isToldLate(refusal, res) && late < MOST_LATE) {
      late += 1;
      await clock.real.sleep(LATE_MS);
      late -= 1;
      // While it waited the request may have been cut off.
      if (res.headersSent) return;
    }
    // Of a stranger nothing more is read: the rest of the body would only be thrown away.
    if (refusal.code === 'payload_too_large' && !isProven(res)) res.setHeader('Connection', 'close');
    sendProblem(res, refusal, req.path);
  };
}

/** A stranger who must wait, or whose body is of no use at all. Callers with a credential wait in `refused-bodies.ts`. */
function isToldLate({ code, told }: Refusal, res: Response): boolean {
  if (isProven(res)) return false;
  if (code === 'too_many_requests') return told.metadata?.['retry_after_s'] !== undefined;
  return code === 'busy' || code === 'payload_too_large';
}

function isProven({ locals }: Response): boolean {
  return locals.caller !== undefined && locals.caller !== null;
}

/** Any error as a refusal of the catalogue. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error)) return new Refusal('internal_error');
  // The router could not decode the path, so it names nothing.
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
      return new Refusal('malformed_body', { detail: 'The body must be JSON, and could not be read as such.' });
  }
}

/** Answers with the problem object of a refusal. */
export function sendProblem(res: Response, refusal: Refusal, path: string): void {
  const problem = presentRefusal(refusal, res.locals.requestId, path);
  if (problem.status === 401) res.setHeader('WWW-Authenticate', 'Bearer');
  if (problem.retryable && problem.status !== 500) res.setHeader('Retry-After', retryAfterS(problem));
  res.status(problem.status).type('application/problem+json').send(JSON.stringify(problem));
}

function retryAfterS({ metadata }: Problem): string {
  const named = metadata?.['retry_after_s'];
  return String(typeof named === 'number' ? Math.max(1, Math.ceil(named)) : RETRY_AFTER_S);
}
