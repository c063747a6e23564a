import express, { type RequestHandler } from 'express';
import { Refusal } from '../domain/refusals.ts';

/** Reads a JSON body of at most `maxBytes`. No body at all counts as `{}`; one of another type is refused. */
export function readBody(maxBytes: number): RequestHandler[] {
  return [refuseOtherTypes, express.json({ limit: maxBytes, strict: false, type: () => true })];
}

const refuseOtherTypes: RequestHandler = (req, _res, next) => {
  const isEmpty = req.get('content-length') === '0' && req.get('content-type') === undefined;
  if (!isEmpty && req.is(['application/json', '+json']) === false) throw new Refusal('unsupported_media_type');
  next();
};
