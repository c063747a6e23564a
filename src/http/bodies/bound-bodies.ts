import { createServer, type RequestListener, type Server } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Context } from '../../ports/context.ts';
import type { Clock, Stop } from '../../ports/process.ts';
import { sendProblem } from '../error-handler.ts';

type Needs = Pick<Context, 'addressOf' | 'clock' | 'settings'>;
type Limits = Context['settings']['http'];

/** How often Node looks for requests that are late; machine time. */
const LOOK_EVERY_MS = 1000;

/**
 * An HTTP server that ends what is late: heads, bodies that `boundBodies` could not refuse because they were answered before
 * they came, and connections on which nothing moves, such as those of clients that do not read their answers.
 */
export function createBoundServer({ headRealMs, bodyRealMs, idleRealMs }: Limits, listener?: RequestListener): Server {
  const limits = {
    headersTimeout: headRealMs,
    requestTimeout: headRealMs + bodyRealMs,
    connectionsCheckingInterval: Math.min(LOOK_EVERY_MS, headRealMs),
  };
  const server = createServer(limits, listener);
  // Sockets take their connection out of this limit and have heartbeats instead.
  server.timeout = idleRealMs;
  return server;
}

/**
 * Bounds bodies that come slowly: one that is not there in time is refused (`slow_body`), and an address has only so many
 * of them at a time (`too_many_requests`). Bodies that come at once count for nothing. The connection of a refused one
 * ends, since the rest of the body would only be thrown away.
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

function watch({ addressOf, clock, settings }: Needs, slow: Map<string, number>, req: Request, res: Response): void {
  const { slowBodyRealMs, bodyRealMs, bodiesPerAddress } = settings.http;
  const { network } = addressOf(req);
  const refuse = (refusal: Refusal): void => void (req.complete || cutOff(req, res, refusal));
  let release = (): void => undefined;
  let stop = afterReading(clock, slowBodyRealMs, () => {
    const others = slow.get(network) ?? 0;
    if (others >= bodiesPerAddress) return refuse(tooManyBodies(bodiesPerAddress));
    slow.set(network, others + 1);
    release = () => countDown(slow, network);
    stop = afterReading(clock, bodyRealMs - slowBodyRealMs, () => refuse(tooSlow(bodyRealMs)));
  });
  req.once('close', () => {
    stop();
    release();
  });
}

/** Runs the task when the time is over and what lay in the sockets is read: after a pause of the process timers come first. */
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

/** Answers in the middle of a request; one that has its answer already is only ended. */
function cutOff(req: Request, res: Response, refusal: Refusal): void {
  if (res.headersSent) {
    req.socket.destroy();
    return;
  }
  res.setHeader('Connection', 'close');
  sendProblem(res, refusal, req.path);
}

function tooSlow(bodyRealMs: number): Refusal {
  const detail = `The body must arrive within ${bodyRealMs / 1000} seconds, and did not.`;
  return new Refusal('slow_body', { detail });
}

function tooManyBodies(most: number): Refusal {
  const detail = `The body of this request comes slowly, and ${most} requests from this address are waiting for theirs, which is the limit.`;
  return new Refusal('too_many_requests', { detail });
}
