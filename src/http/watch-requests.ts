import type { RequestHandler } from 'express';
import type { Context } from '../ports.ts';

/** Logs and times every request when its answer is out. Neither the path nor the query is logged: they may hold a token. */
export function watchRequests({ clock, log, metrics }: Pick<Context, 'clock' | 'log' | 'metrics'>): RequestHandler {
  return (req, res, next) => {
    const startedAt = clock.real.now();
    res.once('close', () => {
      const tookMs = clock.real.now() - startedAt;
      const { requestId, route } = res.locals;
      const status = res.statusCode;
      log.info({ request_id: requestId, method: req.method, route, status, took_ms: tookMs }, 'request');
      metrics.observe('http_request_seconds', tookMs / 1000, { route: route ?? 'none', status: String(status) });
    });
    next();
  };
}
