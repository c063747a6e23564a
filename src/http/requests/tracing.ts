import type { RequestHandler } from 'express';

declare module 'express-serve-static-core' {
  interface Locals {
    /** The caller's trace (W3C Trace Context), as the log names it; empty without a valid `traceparent`. */
    trace: { readonly trace_id?: string; readonly span_id?: string };
  }
}

/** Version 00 has exactly these four fields. A later version may have more, which are ignored. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/**
 * Takes the `traceparent` of the caller into the log lines of the request, and sends it back. An invalid one is ignored,
 * as the specification demands.
 */
export const followTrace: RequestHandler = (req, res, next) => {
  const given = req.get('traceparent') ?? '';
  const [, version, traceId, spanId, more] = TRACEPARENT.exec(given) ?? [];
  res.locals.trace = {};
  if (traceId !== undefined && spanId !== undefined && !(version === '00' && more !== undefined)) {
    res.locals.trace = { trace_id: traceId, span_id: spanId };
    res.setHeader('traceparent', given);
  }
  next();
};
