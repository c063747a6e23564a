import type { RequestHandler } from 'express';
import { actorOf, type Caller } from '../../domain/access.ts';
import type { Context } from '../../ports/context.ts';
import { loggedPath } from './logged-path.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

type Needs = Pick<Context, 'addressOf' | 'clock' | 'log' | 'metrics'>;

/**
 * Logs and times every request after its answer, with caller and address. Writes of staff and services are audited. The
 * log contains neither queries nor parts of a path that may be a token.
 */
export function watchRequests({ addressOf, clock, log, metrics }: Needs): RequestHandler {
  return (req, res, next) => {
    const startedAt = clock.real.elapsed();
    const { address } = addressOf(req);
    res.once('close', () => {
      const tookMs = Math.round(clock.real.elapsed() - startedAt);
      const { requestId, trace, route, caller } = res.locals;
      const status = res.statusCode;
      const actor = callerOf(caller);
      const seen = {
        request_id: requestId,
        ...trace,
        ...actor,
        address,
        route,
        path: loggedPath(route, req.path),
        status,
      };
      if (!READS.has(req.method) && (caller?.type === 'staff' || caller?.type === 'internal')) {
        log.audit(seen, 'write by role');
      }
      log.info({ ...seen, method: req.method, took_ms: tookMs }, 'request');
      metrics.observe('http_request_seconds', tookMs / 1000, { route: route ?? 'none', status: String(status) });
    });
    next();
  };
}

/** The caller in the log; empty if they are unknown or not allowed. */
function callerOf(caller: Caller | null): object {
  if (caller === null || caller.type === 'recipient') return {};
  const actor = actorOf(caller);
  return caller.type === 'vendor' ? { actor, key_id: caller.keyId } : { actor };
}
