import type { ErrorRequestHandler, Response } from 'express';
import { presentRefusal, Refusal, type Problem, type RefusalCode } from '../domain/refusals.ts';
import type { Log } from '../ports.ts';

/** What the body parser calls its refusals; its other errors of the client are malformed bodies. */
const PARSER_CODES: Record<string, RefusalCode> = {
  'entity.too.large': 'payload_too_large',
  'encoding.unsupported': 'unsupported_media_type',
  'charset.unsupported': 'unsupported_media_type',
};

/** Seconds after which a caller may try again what was refused only for now, when the refusal names no time. */
const RETRY_AFTER_S = 1;

/** Answers every error as a problem; what is not a refusal is logged and tells the caller only the request id. */
export function answerErrors(log: Log): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
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
    sendProblem(res, refusal, req.path);
  };
}

/** Any error as a refusal of the catalogue. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error)) return new Refusal('internal_error');
  // The router could not decode the path, so it names nothing.
  if (error instanceof URIError) return new Refusal('route_not_found');
  const { type, status } = error as { type?: unknown; status?: unknown };
  if (typeof type === 'string' && typeof status === 'number' && status < 500) {
    const code = PARSER_CODES[type] ?? 'malformed_body';
    return new Refusal(code, code === 'malformed_body' ? { detail: 'the body could not be read as JSON' } : {});
  }
  return new Refusal('internal_error', { detail: 'the request id tells us what happened' });
}

function sendProblem(res: Response, refusal: Refusal, path: string): void {
  const problem = presentRefusal(refusal, res.locals.requestId, path);
  if (problem.status === 401) res.setHeader('WWW-Authenticate', 'Bearer');
  if (problem.retryable && problem.status !== 500) res.setHeader('Retry-After', retryAfterS(problem));
  res.status(problem.status).type('application/problem+json').send(JSON.stringify(problem));
}

function retryAfterS({ metadata }: Problem): string {
  const named = metadata?.['retry_after_s'];
  return String(typeof named === 'number' ? Math.max(1, Math.ceil(named)) : RETRY_AFTER_S);
}
