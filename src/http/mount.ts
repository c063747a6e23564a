import type { ErrorRequestHandler, Express, RequestHandler, Response } from 'express';
import { auditedActorOf } from '../domain/audit.ts';
import { tenantOf } from '../domain/tenant.ts';
import { anyOf, Refusal } from '../domain/refusals/refusals.ts';
import { admit } from './authenticate.ts';
import type { RequestKey } from '../ports/requests.ts';
import type { Answer, Endpoint, RouteRow, Work } from './endpoint.ts';
import { sendAnswer } from './send-answer.ts';
import type { HttpContext } from './http-context.ts';
import { createAnswerOnce, openAnswer } from './idempotency/answer-once.ts';
import { UNKEYED } from './idempotency/once.ts';
import { isKeyed, requestKeyOf } from './idempotency/request-key.ts';
import { limitRequests } from './limits/limit-requests.ts';
import { POLICY, type Allowed } from './policy.ts';
import { scopeOf } from './scopes.ts';
import { readBody } from './bodies/read-body.ts';
import { createUploadReader } from './bodies/read-upload.ts';
import { createGoTogether } from './requests/go-together.ts';
import { pinVersion } from './requests/service-version.ts';
import { createRefusedBodies, type RefusedBodies } from './bodies/refused-bodies.ts';

type Verb = 'get' | 'post' | 'patch' | 'put' | 'delete';

/**
 * Adds the rows to the router.
 * @throws an error that stops the start if a row has no policy, a policy has no row, or two rows have the same route or name
 */
export function mount(
  app: Express,
  ctx: HttpContext,
  rows: readonly RouteRow[],
  policy: Record<string, Allowed> = POLICY,
): void {
  refuseGaps(rows, policy);
  const shared: Shared = {
    refused: createRefusedBodies(ctx),
    readUpload: createUploadReader(ctx.settings.files),
    goTogether: createGoTogether(ctx.clock),
    answerOnce: createAnswerOnce(ctx),
  };
  const byPath = Map.groupBy(rows, ({ route }) => splitRoute(route).path);
  // `GET /couriers/onboard` must not be read as `GET /couriers/{id}`, so paths with fewer names of parameters come first.
  for (const [path, own] of [...byPath].toSorted(([a], [b]) => countNames(a) - countNames(b))) {
    const atPath = app.route(patternOf(path));
    for (const row of own) atPath[splitRoute(row.route).verb](nameRoute(row), ...handlersOf(row));
    atPath.all(refuseMethod(own.map(({ route }) => splitRoute(route).verb.toUpperCase())));
  }

  function handlersOf(row: RouteRow): (RequestHandler | ErrorRequestHandler)[] {
    if (row.kind === 'page') return [...(row.guard?.(ctx) ?? []), limitRequests(ctx, row.route), row.serve(ctx)].flat();
    return jsonHandlers(ctx, row, policy[row.route] ?? {}, shared);
  }
}

function countNames(path: string): number {
  return path.split('{').length - 1;
}

/** Writes a path in the syntax of the router. */
function patternOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Splits a route such as `POST /a/{id}` into verb and path. */
export function splitRoute(route: string): { verb: Verb; path: string } {
  const [verb = '', path = ''] = route.split(' ');
  return { verb: verb.toLowerCase() as Verb, path };
}

function refuseGaps(rows: readonly RouteRow[], policy: Record<string, Allowed>): void {
  const routes = rows.map(({ route }) => route as string);
  const open = routes.filter((route) => policy[route] === undefined);
  const idle = Object.keys(policy).filter((route) => !routes.includes(route));
  const twice = repeated(routes);
  const wrong = [
    ...open.map((route) => `${route} has no policy`),
    ...idle.map((route) => `the policy of ${route} has no route`),
    ...rows
      .filter(({ route }) => policy[route]?.vendor !== undefined && scopeOf(route) === null)
      .map(({ route }) => `${route} has no scope`),
    ...twice.map((route) => `${route} exists twice`),
    ...repeated(rows.map(({ name }) => name)).map((name) => `two routes have the name ${name}`),
  ];
  if (wrong.length > 0) throw new Error(`routes and policy differ: ${wrong.join('; ')}`);
}

function repeated(words: readonly string[]): string[] {
  return words.filter((word, index) => words.indexOf(word) !== index);
}

/** The parts of which all routes have the same one. */
type Shared = {
  readonly refused: RefusedBodies;
  readonly readUpload: ReturnType<typeof createUploadReader>;
  readonly goTogether: ReturnType<typeof createGoTogether>;
  readonly answerOnce: ReturnType<typeof createAnswerOnce>;
};

/**
 * The handlers of a route. The caller is authenticated before the body is read, and again after it: a body may take seconds, in
 * which a key or a session may end.
 */
function jsonHandlers(
  ctx: HttpContext,
  row: Endpoint,
  allowed: Allowed,
  { refused, readUpload, goTogether, answerOnce }: Shared,
): (RequestHandler | ErrorRequestHandler)[] {
  const prove: RequestHandler = async (req, res, next) => {
    res.locals.caller = await admit(ctx.credentials, { allowed, scope: scopeOf(row.route) }, req);
    pinVersion(req, res, res.locals.caller);
    next();
  };
  const answer: RequestHandler = async (req, res) => {
    const { caller, requestId } = res.locals;
    const { network } = ctx.addressOf(req);
    const origin = { actor: auditedActorOf(caller), requestId, network };
    const work = row.prepare(ctx, req, caller);
    const key = isKeyed(row.route) ? requestKeyOf(req, caller) : null;
    // A refused body was thrown out above, so the pause before its answer holds up nobody.
    if (isKeyed(row.route)) await goTogether(res);
    const run = () => (key === null ? work(ctx, UNKEYED) : replay(key, work, res));
    const tenant = tenantOf(caller);
    const runConfined = () => (tenant === null ? run() : ctx.tenants.within(tenant, run));
    await sendAnswer(res, await ctx.audit.within(origin, runConfined), row.status);
  };
  const replay = async (key: RequestKey, work: Work, res: Response): Promise<Answer<unknown>> => {
    const { answer: kept, isReplay } = await answerOnce(key, row.status, work);
    if (isReplay) res.setHeader('Idempotent-Replayed', 'true');
    return openAnswer(kept);
  };
  const limit = limitRequests(ctx, row.route);
  if (splitRoute(row.route).verb === 'get') return [prove, limit, answer];
  const maxBytes = ctx.settings.http[row.bodyLimit];
  const read = row.upload === null ? readBody(maxBytes) : readUpload(row.upload);
  return [prove, limit, refused.admit, ...read, prove, answer, refused.delay(maxBytes)];
}

function nameRoute(row: RouteRow): RequestHandler {
  return (_req, res, next) => {
    res.locals.route = row.route;
    if (row.kind === 'page') res.locals.showRefusal = row.showRefusal;
    next();
  };
}

function refuseMethod(verbs: readonly string[]): RequestHandler {
  return (req, res) => {
    res.setHeader('Allow', verbs.join(', '));
    const detail = `This path supports ${anyOf(verbs)}, not \`${req.method}\`.`;
    throw new Refusal('method_not_allowed', { detail, metadata: { allowed: verbs } });
  };
}
