import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { bearerOf } from '../authenticate.ts';
import type { HttpContext } from '../http-context.ts';

/** Headers that proxies add: the connection of such a request does not tell where its caller is. */
const OF_PROXIES = /^(forwarded|via|x-real-ip|x-forwarded-.+)$/u;
/** Names of this machine. A page in its browser may reach it under another one, which its owner points here. */
const OWN_NAME = /^(localhost|127(\.\d+){3}|\[::1\])$/u;

/**
 * Lets in callers who send the token of the metrics, which tell business figures. While no token is set, callers on the
 * same machine need none in development, and production lets nobody in. Refuses `unauthorized` and `forbidden`.
 */
export function guardMetrics({ metricsToken, isDevelopment }: HttpContext): RequestHandler {
  const wanted = metricsToken === null ? null : digestOf(metricsToken);
  return (req, _res, next) => {
    if (wanted !== null) refuseOtherTokens(wanted, bearerOf(req) ?? '');
    else if (!isDevelopment || !isFromHere(req)) throw refuseWithout(isDevelopment);
    next();
  };
}

/** Digests have one length, and comparing them takes the same time whatever was sent. */
function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function refuseOtherTokens(wanted: Buffer, given: string): void {
  if (timingSafeEqual(wanted, digestOf(given))) return;
  const detail = 'The header `Authorization` must be `Bearer` and the value of `METRICS_TOKEN` on this server.';
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
