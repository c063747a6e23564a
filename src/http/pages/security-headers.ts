import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** A host as browsers send it; anything else must not get into a header of ours. */
const HOST = /^[A-Za-z0-9.:[\]-]{1,255}$/;

/** Headers of every answer: nothing of ours may be framed, guessed at, or run in a browser. */
export function guardAnswers(isDevelopment: boolean): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"] },
    },
    // On a developer's machine there is no TLS, and browsers would remember the order.
    strictTransportSecurity: isDevelopment ? false : { maxAge: 31_536_000 },
    referrerPolicy: { policy: 'no-referrer' },
  });
}

/**
 * The policy of pages and of the scripts and workers they load: our own files only, and our own sockets. The map makes
 * its worker from a blob and styles elements as it goes; the reference page styles too.
 */
export const guardPage: RequestHandler = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    workerSrc: ["'self'", 'blob:'],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'", (req) => socketsOf(req, 'ws'), (req) => socketsOf(req, 'wss')],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/** The same host's sockets: some browsers do not count them as `'self'`. */
function socketsOf({ headers: { host } }: IncomingMessage, scheme: 'ws' | 'wss'): string {
  return host !== undefined && HOST.test(host) ? `${scheme}://${host}` : "'self'";
}

/** Pages about a person: not kept, not indexed. */
export const keepPrivate: RequestHandler = (_req, res, next) => {
  res.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex, nofollow' });
  next();
};
