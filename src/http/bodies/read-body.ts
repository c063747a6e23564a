import express, { type Request, type RequestHandler } from 'express';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { refuseSprawl } from './body-shape.ts';

/** Reads a JSON body. No body at all counts as `{}`; one that is too large, sprawling or of another type is refused. */
export function readBody(maxBytes: number): RequestHandler[] {
  const parse = express.json({ limit: maxBytes, strict: false, type: () => true, verify: refuseUnread });
  return [refuseOtherTypes, (req, res, next) => parse(req, res, (error?: unknown) => next(orMalformed(error)))];
}

/** How long the body of each request was, unpacked. */
const lengths = new WeakMap<object, number>();

/** Bytes of the body, unpacked; undefined when it was not read to its end. */
export function bytesReadOf(req: Request): number | undefined {
  return lengths.get(req);
}

/** Judges a body by its bytes, before the parser makes a value of each. */
function refuseUnread(req: object, _res: unknown, json: Buffer, charset: string): void {
  lengths.set(req, json.length);
  if (charset !== 'utf-8') throw notUtf8();
  refuseSprawl(json);
}

/** The refusal of a body that is not in UTF-8. */
function notUtf8(): Refusal {
  return new Refusal('unsupported_media_type', { detail: 'The charset of `Content-Type` must be UTF-8.' });
}

/** The parser names all its errors but one: a compressed body that cannot be unpacked. */
function orMalformed(error: unknown): unknown {
  const isUnnamed = error instanceof Error && 'status' in error && error.status === 400 && !('type' in error);
  return isUnnamed
    ? new Refusal('malformed_body', { detail: 'The body could not be unpacked as its `Content-Encoding` says.' })
    : error;
}

const refuseOtherTypes: RequestHandler = (req, _res, next) => {
  const isEmpty = req.get('content-length') === '0' && req.get('content-type') === undefined;
  if (!isEmpty && req.is(['application/json', '+json']) === false) {
    throw new Refusal('unsupported_media_type', { detail: '`Content-Type` must be `application/json`.' });
  }
  next();
};
