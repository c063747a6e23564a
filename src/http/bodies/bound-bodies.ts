import { createServer, type RequestListener, type Server } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Context } from '../../ports/context.ts';
import type { Clock, Stop } from '../../ports/process.ts';
import { sendProblem } from '../error-handler.ts';
import { answerClientErrors } from '../requests/client-errors.ts';
import { counted } from '../../domain/refusals/shown-text.ts';

type Needs = Pick<Context, 'addressOf' | 'clock' | 'settings'>;
type Limits = Context['settings']['http'];

/** Interval at which Node checks for late requests; machine time. */
const LOOK_EVERY_MS = 1000;

/**
 * Creates an HTTP server with limits on time. It closes connections with late heads, and with late bodies of requests that
 * were answered already. It also closes idle connections, for example of clients that do not read their answers.
 */
export function createBoundServer(
  { headRealMs, bodyRealMs, uploadRealMs, idleRealMs }: Limits,
  listener?: RequestListener,
): Server {
  const limits = {
    headersTimeout: headRealMs,
    requestTimeout: headRealMs + Math.max(bodyRealMs, uploadRealMs),
    connectionsCheckingInterval: Math.min(LOOK_EVERY_MS, headRealMs),
    // `refuseWithoutHost` refuses such requests with a problem.
    requireHostHeader: false,
  };
  const server = createServer(limits, listener);
  // Sockets remove their connections from this limit, because they have heartbeats instead.
  server.timeout = idleRealMs;
  answerClientErrors(server, headRealMs);
  return server;
}

/**
 * Limits slow bodies. A body that does not arrive in time is refused with `slow_body`. If an address sends too many slow
 * bodies at the same time, they are refused with `too_many_requests`. Bodies that arrive at once do not count. The
 * connection of a refused request is closed, because the rest of its body is useless.
 */
export function boundBodies(ctx: Needs): RequestHandler {
  const slow = new Map<string, number>();
  return (req, res, next) => {
    if (hasBody(req)) watch(ctx, slow, req, res);
    next();
  };
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** A form with files may take longer. Routes that take none refuse it at once. */
function mayHaveFiles(req: Request): boolean {
  return req.is('multipart/form-data') !== false;
}

function watch({ addressOf, clock, settings }: Needs, slow: Map<string, number>, req: Request, res: Response): void {
  const { slowBodyRealMs, bodiesPerAddress } = settings.http;
  const mostMs = mayHaveFiles(req) ? settings.http.uploadRealMs : settings.http.bodyRealMs;
  const { network } = addressOf(req);
  const refuse = (refusal: Refusal): void => void (req.complete || cutOff(req, res, refusal));
  let release = (): void => undefined;
  let stop = afterReading(clock, slowBodyRealMs, () => {
    const others = slow.get(network) ?? 0;
    if (others >= bodiesPerAddress) return refuse(tooManyBodies(bodiesPerAddress));
    slow.set(network, others + 1);
    release = () => countDown(slow, network);
    stop = afterReading(clock, mostMs - slowBodyRealMs, () => refuse(tooSlow(mostMs)));
  });
  req.once('close', () => {
    stop();
    release();
  });
}

/** Runs the task after this time and after one more read of the sockets, because timers run first after a pause. */
function afterReading(clock: Clock, ms: number, task: () => void): Stop {
  let stop = clock.real.after(ms, () => {
    stop = clock.real.after(0, task);
  });
  return () => stop();
}

function countDown(counts: Map<string, number>, key: string): void {
  const left = (counts.get(key) ?? 1) - 1;
  if (left === 0) counts.delete(key);
  else counts.set(key, left);
}

/** Refuses a request whose body is still arriving. If it has an answer already, only the connection is closed. */
function cutOff(req: Request, res: Response, refusal: Refusal): void {
  if (res.headersSent) {
    req.socket.destroy();
    return;
  }
  res.setHeader('Connection', 'close');
  sendProblem(res, refusal, req.path);
}

function tooSlow(mostMs: number): Refusal {
  const detail = `The body must arrive within ${counted(mostMs / 1000, 'second')}.`;
  return new Refusal('slow_body', { detail });
}

function tooManyBodies(most: number): Refusal {
  const detail = `The body of this request is slow. At most ${most} slow bodies from one address may arrive at the same time.`;
  return new Refusal('too_many_requests', { detail });
}
