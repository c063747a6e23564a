import { z } from 'zod';
import { newId } from '../domain/ids.ts';
import { presentRefusal, Refusal, type Problem } from '../domain/refusals/refusals.ts';
import { refuseSchema } from '../domain/refusals/schema-errors.ts';
import type { Context } from '../ports/context.ts';
import type { Door } from './connections/door.ts';
import { createMeter, type Pace } from './meter.ts';
import type { ClientSocket } from './sockets.ts';

type Needs = Pick<Context, 'clock' | 'log'>;
type Reply = (result: object) => void;

/** One message: parses what came and runs it. The result is the answer; undefined when `reply` was used. */
export type Row<Me> = (me: Me, given: unknown, reply: Reply) => Result;
export type Result = object | undefined | Promise<object | undefined>;
export type Messages<Me> = ReadonlyMap<string, Row<Me>>;

/**
 * A row of a namespace's messages. The schema is compiled once, because that is about 20 times as fast as interpreting it,
 * which matters for pings. The compiled schema must accept and refuse exactly the same bodies as the plain one.
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
 * Answers everything this client sends: rate, parse, run, acknowledge. Every answer is `{ok: true, …}` or
 * `{ok: false, problem}`; a message without an acknowledgement is run all the same. Who floods or sends garbage is cut off.
 */
export function listen<Me>(
  ctx: Needs,
  door: Door,
  socket: ClientSocket,
  me: Me,
  messages: Messages<Me>,
  paceOf: (name: string) => Pace,
): void {
  const meter = createMeter(ctx.clock, paceOf);
  const giveUp = (): void => void (meter.isAbused() && door.close(socket, 'flood'));
  socket.onAny((name: unknown, ...given: unknown[]) => {
    const answer = answerer(given);
    const row = typeof name === 'string' ? messages.get(name) : undefined;
    const refuse = (error: unknown): void => {
      if (isGarbage(error)) meter.countGarbage();
      answer({ ok: false, problem: toProblem(ctx, String(name), error) });
      giveUp();
    };
    if (!meter.take(typeof name === 'string' ? name : '')) return refuse(new Refusal('too_many_requests'));
    if (row === undefined)
      return refuse(new Refusal('route_not_found', { detail: 'The server knows no message of this name here.' }));
    const reply: Reply = (result) => answer({ ok: true, ...result });
    try {
      const result = row(me, given[0], reply);
      if (result instanceof Promise) settle(result, reply, refuse);
      else if (result !== undefined) reply(result);
    } catch (error) {
      // Whatever a handler throws becomes an answer: a message must never bring the server down.
      refuse(error);
    }
  });
}

function settle(result: Promise<object | undefined>, reply: Reply, refuse: (error: unknown) => void): void {
  result.then((value) => {
    if (value !== undefined) reply(value);
  }, refuse);
}

/** Takes the acknowledgement off the end of what came; a client may leave it out. */
function answerer(given: unknown[]): (answer: object) => void {
  const last = given.at(-1);
  if (typeof last !== 'function') return () => undefined;
  given.pop();
  return (answer) => void last(answer);
}

function isGarbage(error: unknown): boolean {
  return error instanceof Refusal && ['invalid_params', 'unknown_field', 'route_not_found'].includes(error.code);
}

function toProblem({ log }: Needs, name: string, error: unknown): Problem {
  const requestId = newId('req');
  if (error instanceof Refusal) return presentRefusal(error, requestId, name);
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log.error({ error: told, requestId, socketMessage: name.slice(0, 64) }, 'a socket message failed');
  return presentRefusal(new Refusal('internal_error'), requestId, name);
}
