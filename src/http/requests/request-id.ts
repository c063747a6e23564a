import type { RequestHandler } from 'express';
import type { Caller } from '../../domain/access.ts';
import { newId } from '../../domain/ids.ts';

declare module 'express-serve-static-core' {
  interface Locals {
    requestId: string;
    /** The route as the table names it; null until one matched. Logged in place of the path, which may hold a token. */
    route: string | null;
    /** Who calls, once the policy has let them in. */
    caller: Caller | null;
  }
}

/** One to 128 visible ASCII characters, as W3C and proxies make them. */
const SOUND = /^[\x21-\x7e]{1,128}$/;

/** Takes the caller's `X-Request-Id`, or makes one, and sends it back. */
export const giveRequestId: RequestHandler = (req, res, next) => {
  const given = req.get('x-request-id');
  res.locals.requestId = given !== undefined && SOUND.test(given) ? given : newId('req');
  res.locals.route = null;
  res.locals.caller = null;
  res.setHeader('X-Request-Id', res.locals.requestId);
  next();
};
