import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { LOAD_AGAIN_SOURCE } from './load-again.ts';

/** A host as browsers send it. Other text must not get into a header of an answer. */
const HOST = /^[A-Za-z0-9.:[\]-]{1,255}$/;

/** Sets the headers of every answer, so that browsers do not frame it, guess its type or run it. */
export function guardAnswers(isDevelopment: boolean): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"] },
    },
    // A developer's machine has no TLS, and browsers would remember the header.
    strictTransportSecurity: isDevelopment ? false : { maxAge: 31_536_000 },
    referrerPolicy: { policy: 'no-referrer' },
  });
}

/**
 * The policy of pages and of their scripts and workers: only files and sockets of this server, the script in the pages
 * themselves, and the origin of the map if there is one. The map creates its worker from a blob, and the map and the reference page add styles.
 */
export function guardPage(mapOrigin: string | null): RequestHandler {
  const ofMap = mapOrigin === null ? [] : [mapOrigin];
  return helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'", LOAD_AGAIN_SOURCE],
      workerSrc: ["'self'", 'blob:'],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'blob:', ...ofMap],
      fontSrc: ["'self'"],
      connectSrc: ["'self'", (req) => socketsOf(req, 'ws'), (req) => socketsOf(req, 'wss'), ...ofMap],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  });
}

/** The sockets of the same host, which some browsers do not include in `'self'`. */
function socketsOf({ headers: { host } }: IncomingMessage, scheme: 'ws' | 'wss'): string {
  return host !== undefined && HOST.test(host) ? `${scheme}://${host}` : "'self'";
}

/** Keeps personal pages out of caches and search engines. */
export const keepPrivate: RequestHandler = (_req, res, next) => {
  res.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex, nofollow' });
  next();
};
