import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { bearerOf } from '../authenticate.ts';
import type { HttpContext } from '../http-context.ts';

/** Headers that proxies add. The address of such a connection is not the address of the caller. */
const OF_PROXIES = /^(forwarded|via|x-real-ip|x-forwarded-.+)$/u;
/** Names of this machine. A page in a browser could reach it under another name that points here. */
const OWN_NAME = /^(localhost|127(\.\d+){3}|\[::1\])$/u;

/**
 * Allows only callers who send the token of the metrics, because metrics contain business figures. If no token is set,
 * development allows callers on the same machine, and production allows nobody. Refuses `unauthorized` and `forbidden`.
 */
export function guardMetrics({ metricsToken, isDevelopment }: HttpContext): RequestHandler {
  const wanted = metricsToken === null ? null : digestOf(metricsToken);
  return (req, _res, next) => {
    if (wanted !== null) refuseOtherTokens(wanted, bearerOf(req) ?? '');
    else if (!isDevelopment || !isFromHere(req)) throw refuseWithout(isDevelopment);
    next();
  };
}

/** Digests have the same length, so that a comparison always takes the same time. */
function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function refuseOtherTokens(wanted: Buffer, given: string): void {
  if (timingSafeEqual(wanted, digestOf(given))) return;
  const detail = 'The header `Authorization` must be `Bearer`, followed by the `METRICS_TOKEN` of this server.';
  throw new Refusal('unauthorized', { detail });
}

function isFromHere({ socket, headers }: Request): boolean {
  const address = socket.remoteAddress ?? '';
  if (!ipaddr.isValid(address) || ipaddr.process(address).range() !== 'loopback') return false;
  if (Object.keys(headers).some((name) => OF_PROXIES.test(name))) return false;
  return OWN_NAME.test(URL.parse(`http://${headers.host}`)?.hostname ?? '');
}

function refuseWithout(isDevelopment: boolean): Refusal {
  const whom = isDevelopment ? 'to callers outside this machine' : 'in production';
  const detail = `The metrics are closed ${whom} until \`METRICS_TOKEN\` is set on the server.`;
  return new Refusal('forbidden', { detail });
}
