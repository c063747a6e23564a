import type { RequestHandler } from 'express';
import type { Caller } from '../../domain/access.ts';
import { newId } from '../../domain/ids.ts';
import type { ShowRefusal } from '../endpoint.ts';

declare module 'express-serve-static-core' {
  interface Locals {
    requestId: string;
    /** The route in the table; null until one has matched. It is logged instead of the path, which may contain a token. */
    route: string | null;
    /** Creates the page that shows a refusal on this route; undefined if callers get a problem. */
    showRefusal?: ShowRefusal | undefined;
    /** The caller, after the policy has allowed them. */
    caller: Caller | null;
  }
}

/** A valid request id: 1 to 128 visible ASCII characters. */
const SOUND = /^[\x21-\x7e]{1,128}$/;

/** Takes the `X-Request-Id` of the caller, or creates one, and sends it back. */
export const giveRequestId: RequestHandler = (req, res, next) => {
  const given = req.get('x-request-id');
  res.locals.requestId = given !== undefined && SOUND.test(given) ? given : newId('req');
  res.locals.route = null;
  res.locals.caller = null;
  res.setHeader('X-Request-Id', res.locals.requestId);
  next();
};
