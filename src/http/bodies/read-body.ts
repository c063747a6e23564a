import express, { type Request, type RequestHandler } from 'express';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { refuseSprawl } from './body-shape.ts';
import { refuseFaults } from './json-faults.ts';

/**
 * Reads a JSON body. A missing body counts as `{}`. A body that is too large, too complex or of another type is refused, and
 * so is one that did not arrive, is not JSON or has a name twice.
 */
export function readBody(maxBytes: number): RequestHandler[] {
  const parse = express.json({ limit: maxBytes, strict: false, type: () => true, verify: refuseUnread });
  const read: RequestHandler = (req, res, next) =>
    parse(req, res, (error?: unknown) => next(orMalformed(error) ?? lostBodyOf(req)));
  return [refuseOtherTypes, read];
}

/** The uncompressed size of the body of each request. */
const lengths = new WeakMap<object, number>();

/** Uncompressed bytes of the body; undefined if it was not read to its end. */
export function bytesReadOf(req: Request): number | undefined {
  return lengths.get(req);
}

/** Drops a byte order mark, as the parser does. */
const UTF_8 = new TextDecoder();

/** Checks the bytes of a body before it is parsed. */
function refuseUnread(req: object, _res: unknown, json: Buffer, charset: string): void {
  lengths.set(req, json.length);
  if (charset !== 'utf-8') throw notUtf8();
  refuseSprawl(json);
  refuseFaults(UTF_8.decode(json));
}

/** Refuses a body that is not in UTF-8. */
function notUtf8(): Refusal {
  return new Refusal('unsupported_media_type', { detail: 'The charset of `Content-Type` must be UTF-8.' });
}

/** Recognises a compressed body that cannot be unpacked, which is the only error without a type. */
function orMalformed(error: unknown): unknown {
  const isUnnamed = error instanceof Error && 'status' in error && error.status === 400 && !('type' in error);
  return isUnnamed
    ? new Refusal('malformed_body', {
        detail: 'The body must be compressed as `Content-Encoding` says, and it could not be unpacked.',
      })
    : error;
}

/**
 * The parser skips the body of a caller who left while they were authenticated. Without it the request would do something
 * else than what was asked, and the retry with the same key would be refused.
 */
function lostBodyOf(req: Request): Refusal | undefined {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers;
  const isAnnounced = length !== undefined || encoding !== undefined;
  if (!isAnnounced || bytesReadOf(req) !== undefined) return undefined;
  return new Refusal('malformed_body', { detail: 'The connection was closed before the body was read.' });
}

const refuseOtherTypes: RequestHandler = (req, _res, next) => {
  const isEmpty = req.get('content-length') === '0' && req.get('content-type') === undefined;
  if (!isEmpty && req.is(['application/json', '+json']) === false) {
    throw new Refusal('unsupported_media_type', { detail: '`Content-Type` must be `application/json`.' });
  }
  next();
};
