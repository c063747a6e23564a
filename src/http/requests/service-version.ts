import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '../../domain/access.ts';
import { API_VERSION, API_VERSIONS } from '../../domain/deliveries/events.ts';
import { anyOf, Refusal } from '../../domain/refusals/refusals.ts';

const HEADER = 'Service-Version';

/** Answers in the version that the request names, or else in the newest one. Refuses `invalid_params` for another. */
export const chooseVersion: RequestHandler = (req, res, next) => {
  const asked = req.get(HEADER);
  res.setHeader(HEADER, API_VERSION);
  if (asked !== undefined && !API_VERSIONS.includes(asked)) {
    const detail = `\`${HEADER}\` must be ${anyOf(API_VERSIONS)}, or be left out.`;
    throw new Refusal('invalid_params', {
      reason: 'unknown_service_version',
      detail,
      metadata: { header: HEADER, known: API_VERSIONS },
    });
  }
  if (asked !== undefined) res.setHeader(HEADER, asked);
  next();
};

/** Answers in the version of the caller's API key, if the request names none. */
export function pinVersion(req: Request, res: Response, caller: Caller | null): void {
  if (caller?.type === 'vendor' && req.get(HEADER) === undefined) res.setHeader(HEADER, caller.apiVersion);
}
