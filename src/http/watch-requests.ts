import type { RequestHandler } from 'express';
import { actorOf } from '../domain/access.ts';
import type { Context } from '../ports.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Logs and times every request when its answer is out, and audits what staff and services write. Neither path nor query
 * of others is logged: they may hold a token.
 */
export function watchRequests({ clock, log, metrics }: Pick<Context, 'clock' | 'log' | 'metrics'>): RequestHandler {
  return (req, res, next) => {
    const startedAt = clock.real.elapsed();
    res.once('close', () => {
      const tookMs = Math.round(clock.real.elapsed() - startedAt);
      const { requestId, route, caller } = res.locals;
      const status = res.statusCode;
      if (!READS.has(req.method) && (caller?.type === 'staff' || caller?.type === 'internal')) {
        log.audit({ request_id: requestId, actor: actorOf(caller), route, path: req.path, status }, 'write by role');
      }
      log.info({ request_id: requestId, method: req.method, route, status, took_ms: tookMs }, 'request');
      metrics.observe('http_request_seconds', tookMs / 1000, { route: route ?? 'none', status: String(status) });
    });
    next();
  };
}
