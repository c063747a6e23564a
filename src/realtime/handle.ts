import { z } from 'zod';
import { newId } from '../domain/ids.ts';
import { presentRefusal } from '../domain/refusals/present-refusal.ts';
import { Refusal, type Problem } from '../domain/refusals/refusals.ts';
import { refuseSchema } from '../domain/refusals/schema-errors.ts';
import type { Context } from '../ports/context.ts';
import type { Connections } from './connections/connections.ts';
import type { HandleEvent } from './connections/short-way-in.ts';
import { createMeter, type Pace } from './meter.ts';
import type { ClientSocket } from './sockets.ts';

type Needs = Pick<Context, 'clock' | 'log'>;
type Reply = (result: object) => void;

/** Handles one message: parses its body and runs it. The result is the answer, or undefined if `reply` sent it. */
export type Row<Me> = (me: Me, given: unknown, reply: Reply) => Result;
export type Result = object | undefined | Promise<object | undefined>;
export type Messages<Me> = ReadonlyMap<string, Row<Me>>;

/**
 * Creates a row of a namespace's messages. The schema is compiled once, because that is about 20 times as fast as
 * interpreting it, which matters for pings. Both forms must accept and refuse exactly the same bodies.
 */
export function message<Me, S extends z.ZodType>(
  schema: S,
  run: (me: Me, body: z.output<S>, reply: Reply) => Result,
): Row<Me> {
  const compiled = z.compile(schema);
  return (me, given, reply) => {
    const parsed = compiled.safeParse(given);
    if (!parsed.success) throw refuseSchema(schema, given, parsed.error.issues);
    return run(me, parsed.data, reply);
  };
}

/**
 * Handles every message of this client: checks its rate, parses it, runs it and acknowledges it. Each answer is
 * `{ok: true, …}` or `{ok: false, problem}`. Messages without an acknowledgement also run. A client that floods the
 * server or sends garbage is disconnected.
 */
export function listen<Me>(
  ctx: Needs,
  connections: Connections,
  socket: ClientSocket,
  me: Me,
  messages: Messages<Me>,
  paceOf: (name: string) => Pace,
): void {
  const meter = createMeter(ctx.clock, paceOf);
  const giveUp = (): void => void (meter.isAbused() && connections.close(socket, 'flood'));
  const handle: HandleEvent = (name, body, answer) => {
    // The messages that arrived together with the end of the connection follow it.
    if (!socket.connected) return;
    const row = typeof name === 'string' ? messages.get(name) : undefined;
    const refuse = (error: unknown): void => {
      if (isGarbage(error)) meter.countGarbage();
      answer({ ok: false, problem: toProblem(ctx, String(name), error) });
      giveUp();
    };
    if (!meter.take(typeof name === 'string' ? name : '')) return refuse(new Refusal('too_many_requests'));
    if (row === undefined)
      return refuse(new Refusal('route_not_found', { detail: 'This namespace does not have a message of this name.' }));
    const reply: Reply = (result) => answer({ ok: true, ...result });
    try {
      const result = row(me, body, reply);
      if (result instanceof Promise) settle(result, reply, refuse);
      else if (result !== undefined) reply(result);
    } catch (error) {
      // Every error of a handler becomes an answer, because a message must never crash the server.
      refuse(error);
    }
  };
  // `next` is never called: there is no listener that Socket.IO could call after it.
  socket.use(([name, ...given]: unknown[]) => {
    const answer = answerer(given);
    handle(name, given[0], answer);
  });
  connections.connectionOf(socket).setHandler({ namespace: socket.nsp.name, events: messages, handle });
}

function settle(result: Promise<object | undefined>, reply: Reply, refuse: (error: unknown) => void): void {
  result.then((value) => {
    if (value !== undefined) reply(value);
  }, refuse);
}

/** Takes the acknowledgement from the end of the arguments. A client may leave it out. */
function answerer(given: unknown[]): (answer: object) => void {
  const last = given.at(-1);
  if (typeof last !== 'function') return () => undefined;
  given.pop();
  return (answer) => void last(answer);
}

function isGarbage(error: unknown): boolean {
  return (
    error instanceof Refusal &&
    ['invalid_params', 'impossible_value', 'unknown_field', 'route_not_found'].includes(error.code)
  );
}

function toProblem({ log }: Needs, name: string, error: unknown): Problem {
  const requestId = newId('req');
  if (error instanceof Refusal) return presentRefusal(error, requestId, name);
  log.error({ err: error, requestId, socketMessage: name.slice(0, 64) }, 'a socket message failed');
  return presentRefusal(new Refusal('internal_error'), requestId, name);
}
